/** Separates a host or a frame from the selector inside it. */
export const INSIDE = ' >>> ';
