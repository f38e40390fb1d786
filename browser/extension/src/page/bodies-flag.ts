Object.defineProperty(window, '__gasolineBodies', { value: true, configurable: true });
