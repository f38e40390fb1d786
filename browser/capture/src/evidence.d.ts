import type { Core } from './core';
/** A list, because an object with names would cost the page more bytes. */
export type Evidence = [
    /** Four for each React component: its type, the number of the component around it (or -1), its props, its state. */
    components: unknown[],
    /** The number of the component that each element belongs to. */
    owners: Map<unknown, number>,
    /** What the user last did something to, and when. */
    acted: Element | undefined,
    actedAt: number,
    focused: Element | null
];
export interface Witness {
    /** An error happened. */
    note(id: string): void;
    /** What was there then, or lately, or else what is there now. */
    recall(id: string): Evidence;
}
/** `acted`: the element that the user last did something to, and when. */
export declare function createWitness(core: Core, acted: () => [Element | undefined, number]): Witness;
/** All components that React shows or has just taken down. */
export declare function components(until: number): [unknown[], Map<unknown, number>];
/** Goes through trees from their tops: `waiting` has pairs of a fiber and the number of the component around it. */
export declare function noteComponents(waiting: unknown[], found: unknown[], owners: Map<unknown, number>, until: number): void;
