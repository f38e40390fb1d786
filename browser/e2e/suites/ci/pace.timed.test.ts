// The time that the fixture adds to a test: the same project runs alternately with and without it.

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { PROJECT, Shop } from '../../support/shop';

const ROUNDS = 3;
test.setTimeout(600_000);

const median = (values: number[]) => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

/** Medians in milliseconds: from the start of an empty test to that of the next, and the time of a failing test. */
async function measured(shop: Shop, env: Record<string, string>): Promise<{ empty: number; failing: number }> {
  const config = join(PROJECT, `pace-${shop.folder.split('-').at(-1)}.config.ts`);
  writeFileSync(
    config,
    `import config from './playwright.config';
export default { ...config, testDir: 'pace', workers: 1, fullyParallel: false };\n`,
  );
  try {
    const { attempts, output } = await shop.run(['--config', config], env);
    const of = (kind: string) => attempts.filter(({ title }) => title.startsWith(kind));
    expect([of('empty').length, of('failing').length], output).toEqual([60, 6]);
    const starts = of('empty').map(({ startTime }) => Date.parse(startTime));
    // The first tests warm up.
    const gaps = starts.slice(1).map((start, index) => start - (starts[index] ?? start));
    return { empty: median(gaps.slice(9)), failing: median(of('failing').map(({ duration }) => duration)) };
  } finally {
    rmSync(config, { force: true });
  }
}

test('a test without a page costs at most 5 ms, a failing one at most 500 ms', async () => {
  const shop = new Shop();
  try {
    const added: Array<{ empty: number; failing: number }> = [];
    for (let round = 1; round <= ROUNDS; round++) {
      const without = await measured(shop, { SHOP_WITHOUT_REGISTER: '1' });
      const own = await measured(shop, {});
      added.push({ empty: own.empty - without.empty, failing: own.failing - without.failing });
      console.log(`round ${round}: ${JSON.stringify({ without, own })}`);
    }
    // Other programs on this machine can only add to the time.
    expect(Math.min(...added.map(({ empty }) => empty)), JSON.stringify(added)).toBeLessThanOrEqual(5);
    expect(Math.min(...added.map(({ failing }) => failing)), JSON.stringify(added)).toBeLessThanOrEqual(500);
  } finally {
    shop.dispose();
  }
});
