import type { QueryCode } from 'gasoline-capture/wire.gen';

/** Why a query could not be answered, in words for the AI client. */
export class Failure extends Error {
  constructor(
    readonly code: QueryCode,
    message: string,
  ) {
    super(message);
  }
}
