import type { QueryCode } from 'gasoline-capture/wire.gen';

/** Why a question could not be answered, in words for the one who asked. */
export class Failure extends Error {
  constructor(
    readonly code: QueryCode,
    message: string,
  ) {
    super(message);
  }
}
