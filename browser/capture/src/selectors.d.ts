import type { Selectors } from './wire.gen';
export declare function computeSelectors(element: Element): Selectors;
export declare function implicitRole(element: Element): string | null;
/** The element a click is meant for: a `<span>` inside a button stands for the button. */
export declare function meaningful(element: Element): Element;
export declare function visibleText(element: Element): string;
export declare function cssPath(element: Element): string;
/** Classes that a build made up and will make up differently next time. Plain words are not among them. */
export declare function isDynamicClass(name: string): boolean;
