export declare function accessibleName(element: Element): string;
