export declare function reactiveLibraries(): {
    vue: boolean;
    others: boolean;
};
