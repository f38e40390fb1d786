// Pages with three thousand components, and the cost of an error's context in them.

const ROWS = 1_500;
const SHARED = `
    window.store = { getState: () => ({ ui: { status: 1 } }), dispatch() {}, subscribe() {} };
    window.failSoon = () => setTimeout(() => { throw new Error('large page'); });`;

export const LARGE_ROWS = ROWS;
export const LARGE_PAGES = {
  react: `${SHARED}
    import { createRoot } from 'react-dom/client';
    const Cell = ({ row }) => <b>{row}</b>;
    const Row = ({ row }) => <li><Cell row={row} /></li>;
    const App = () => <ul>{Array.from({ length: ${ROWS} }, (_, row) => <Row key={row} row={row} />)}</ul>;
    createRoot(document.getElementById('app')).render(<App />);`,
  vue: `${SHARED}
    import { createApp, h } from 'vue';
    const Cell = { name: 'Cell', props: ['row'], render() { return h('b', this.row); } };
    const Row = { name: 'Row', props: ['row'], render() { return h('li', [h(Cell, { row: this.row })]); } };
    const App = { name: 'App', render: () => h('ul', Array.from({ length: ${ROWS} }, (_, row) => h(Row, { row }))) };
    createApp(App).mount('#app');`,
};

type Recall = ((id: string) => unknown[][]) & {
  enrich: { look(id: string): { sights: object[] }; state(id: string, message: string): unknown };
};
type Captured = { __gasoline: { recall: Recall } };

/** Runs in the page: takes the snapshot that an error takes at once, and returns how many milliseconds it took. */
export function noteOnce(): { components: number; millis: number } {
  const { recall } = (window as unknown as Captured).__gasoline;
  const began = performance.now();
  const components = (recall('none')[0] as unknown[]).length / 4;
  return { components, millis: performance.now() - began };
}

/**
 * Runs in a page that had an error before, so that our script is in it. Returns medians of nine runs, in milliseconds.
 */
export function contextCosts(): { ancestry: number; state: number } {
  const { recall } = (window as unknown as Captured).__gasoline;
  const time = (work: () => unknown) => {
    const times = Array.from({ length: 9 }, () => {
      const began = performance.now();
      work();
      return performance.now() - began;
    });
    return times.sort((a, b) => a - b)[4] as number;
  };
  return {
    ancestry: time(() => recall.enrich.look('none')),
    state: time(() => recall.enrich.state('none', 'large page')),
  };
}

/** Runs in the page: causes an error in its own code. */
export function failSoon(): void {
  (window as unknown as { failSoon(): void }).failSoon();
}
