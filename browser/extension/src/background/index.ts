// The worker's entry.

import { ExtensionWorker } from './worker';

const worker = new ExtensionWorker();
worker.listen();
// For programs that drive this browser, as docs/ci.md tells. Nobody else gets at a worker's globals.
Object.assign(globalThis, {
  gasoline: {
    ready: worker.ready,
    handedOver: (quietMillis?: number) => worker.handedOver(quietMillis),
    settled: () => worker.settled(),
  },
});
