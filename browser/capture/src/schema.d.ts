import type { MessageSchema } from './wire.gen';
export declare class Schema {
    #private;
    /** Looks at a message; true when it is built differently from those before. */
    isNew(text: string): boolean;
    report(messageCount: number): MessageSchema | undefined;
}
