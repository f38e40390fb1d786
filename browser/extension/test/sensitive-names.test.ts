import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

test('no browser package has its own list of sensitive names', () => {
  const packages = fileURLToPath(new URL('../..', import.meta.url));
  for (const folder of ['capture/src', 'extension/src', 'ci/src', 'playwright/src']) {
    const files = readdirSync(`${packages}/${folder}`, { recursive: true, encoding: 'utf8' });
    for (const file of files.filter((file) => file.endsWith('.ts') && !file.endsWith('.gen.ts'))) {
      const code = readFileSync(`${packages}/${folder}/${file}`, 'utf8');
      expect(code, `${folder}/${file}`).not.toMatch(/passwd?\||passcode|\bcvv\b|'(cvc|pwd|passwd)'/);
    }
  }
});
