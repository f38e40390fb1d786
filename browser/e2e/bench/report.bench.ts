// What a failed test costs the model that reads about it, counted by real tokenizers.

import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { test } from '@playwright/test';
import { encode as cl100k } from 'gpt-tokenizer/encoding/cl100k_base';
import { encode as o200k } from 'gpt-tokenizer/encoding/o200k_base';
import { failureThatSays, HOSTILE, ORDINARY } from '../support/failures';
import { BINARY } from '../support/gasoline';
import { report } from './rows';

test('report', ({}, info) => {
  const counts = [...ORDINARY, ...HOSTILE].flatMap((text) => {
    const path = info.outputPath('snapshot.json');
    writeFileSync(path, JSON.stringify(failureThatSays(text)));
    const told = execFileSync(BINARY, ['report', '--format', 'ai-context', '--input', path], { encoding: 'utf8' });
    return [o200k, cl100k].map((encode) => encode(told, { allowedSpecial: 'all' }).length);
  });
  report({
    what: '`report --format ai-context`, the most tokens for one failure',
    measured: Math.max(...counts),
    bound: 499,
    unit: 'tokens',
    note: `${counts.length / 2} texts, ordinary and hostile, two tokenizers; least ${Math.min(...counts)}`,
  });
});
