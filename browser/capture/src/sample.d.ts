/** One message in this many is kept at a given rate, by messages a second. */
export declare function keepOneIn(rate: number): number;
/** Messages a second over the last whole seconds. Moving on costs a few additions, once a second. */
export declare class Rate {
    #private;
    /** Counts one message. Returns whether a new second began. */
    add(second: number): boolean;
    perSecond(second: number): number;
    /** Messages of the running second so far: all a sudden flood shows at first. */
    get running(): number;
}
