/** Between a host or a frame and what is inside it. */
export const INSIDE = ' >>> ';
