// The worker's entry.

import { ExtensionWorker } from './worker';

const worker = new ExtensionWorker();
worker.listen();
// For programs that automate this browser, see docs/ci.md. Nothing else can reach a worker's globals.
Object.assign(globalThis, {
  gasoline: {
    ready: worker.ready,
    handedOver: (quietMillis?: number) => worker.handedOver(quietMillis),
    settled: () => worker.settled(),
  },
});
