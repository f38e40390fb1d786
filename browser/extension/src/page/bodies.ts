// Put before `page.js` when bodies are captured: the first request must not wait for a setting to be read.

Object.defineProperty(window, '__gasolineBodies', { value: true, configurable: true });
