/** As many nodes as the report shows of one rule. */
export const REPORTED_NODES = 10;
