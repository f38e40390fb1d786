// Prints a summary at the end of a run, with tests grouped by the reason of their failure:
// `--reporter=list,gasoline-playwright/reporter`. If tests ran with Gasoline, it is `gasoline report` on their
// snapshots; otherwise it groups Playwright's own messages.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import type { FullConfig, FullResult, Reporter, Suite, TestCase, TestResult } from '@playwright/test/reporter';
import { findBinary } from './binary';
import { groupFailures, type OwnFailure } from './grouping';
import { messageOf } from './message';

const REPORT_MILLIS = 30_000;

export interface GasolineReporterOptions {
  /** A file that also gets the summary. */
  outputFile?: string;
  /** The file's format: `markdown` unless its name says otherwise (`.json`, `.xml`, `.txt`). */
  format?: 'text' | 'markdown' | 'json' | 'junit' | 'ai-context';
  /** The binary; by default the `gasolineBinary` of the config, or the installed one. */
  binary?: string;
}

export default class GasolineReporter implements Reporter {
  private config: FullConfig | undefined;
  private suite: Suite | undefined;

  constructor(private readonly options: GasolineReporterOptions = {}) {}

  printsToStdio(): boolean {
    return false;
  }

  onBegin(config: FullConfig, suite: Suite): void {
    this.config = config;
    this.suite = suite;
  }

  onEnd(_: FullResult): void {
    const tests = this.suite?.allTests() ?? [];
    const broken = tests.filter((test) => test.outcome() === 'unexpected');
    const flaky = tests.filter((test) => test.outcome() === 'flaky');
    if (broken.length === 0 && flaky.length === 0) return;
    const snapshots = [...broken, ...flaky].flatMap(({ results }) => results.flatMap(snapshotOf));
    const report = snapshots.length > 0 ? this.report('text', snapshots) : undefined;
    const lines = ['', report?.trimEnd() ?? groupFailures(broken.map(ownFailure))];
    if (flaky.length > 0) lines.push('', ...flaky.flatMap(describeFlaky));
    process.stdout.write(`${lines.join('\n')}\n`);
    const { outputFile } = this.options;
    if (!outputFile) return;
    const format = this.options.format ?? formatOf(outputFile);
    const text = snapshots.length > 0 ? this.report(format, snapshots) : undefined;
    const path = resolve(this.folder, outputFile);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text ?? `${groupFailures(broken.map(ownFailure))}\n`);
  }

  /** The output of `gasoline report`; `undefined` when there is no binary or it fails. */
  private report(format: string, snapshots: string[]): string | undefined {
    const [program, ...words] = findBinary(this.options.binary ?? this.binaryOfConfig());
    if (!program) return undefined;
    const folder = mkdtempSync(join(tmpdir(), 'gasoline-run-'));
    try {
      const run = join(folder, 'run.json');
      writeFileSync(run, JSON.stringify({ tests: this.others(), logs: [], network_bodies: [] }));
      const args = [...words, 'report', '--format', format, '--input', run, ...snapshots];
      const { status, stdout } = spawnSync(program, args, { encoding: 'utf8', timeout: REPORT_MILLIS });
      return status === 0 && stdout.trim() ? stdout : undefined;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  /** The folder of the config: paths are relative to it, as for Playwright's own reporters. */
  private get folder(): string {
    return this.config?.configFile ? dirname(this.config.configFile) : (this.config?.rootDir ?? '.');
  }

  /** Attempts without a snapshot, as records: without them, the report would not know the number of tests. */
  private others(): object[] {
    return (this.suite?.allTests() ?? []).flatMap((test) =>
      test.results
        .filter((result) => snapshotOf(result).length === 0)
        .map(({ retry, status, duration, errors }) => ({
          test_id: [test.id, ...repeatOf(test), `attempt ${retry + 1}`].join(' '),
          title: test.titlePath().slice(2).join(' › '),
          file: relative(this.folder, test.location.file).replaceAll('\\', '/'),
          line: test.location.line,
          project: test.parent.project()?.name || undefined,
          retry,
          ...(test.repeatEachIndex > 0 && { repeat: test.repeatEachIndex }),
          status,
          expected_status: test.expectedStatus,
          duration_ms: duration,
          error: messageOf({ status, expectedStatus: test.expectedStatus, errors }),
        })),
    );
  }

  private binaryOfConfig(): string {
    const [project] = this.config?.projects ?? [];
    const { gasolineBinary } = (project?.use ?? {}) as { gasolineBinary?: string };
    return gasolineBinary ?? '';
  }
}

function snapshotOf(result: TestResult | undefined): string[] {
  return result?.attachments.flatMap(({ name, path }) => (name === 'gasoline-snapshot' && path ? [path] : [])) ?? [];
}

/** The number of the repetition, for a test that `--repeat-each` runs several times. */
function repeatOf({ repeatEachIndex }: TestCase): string[] {
  return repeatEachIndex > 0 ? [`repeat ${repeatEachIndex}`] : [];
}

function ownFailure(test: TestCase): OwnFailure {
  const { expectedStatus } = test;
  const { status, errors } = test.results.at(-1) ?? { errors: [] };
  return {
    title: [test.titlePath().filter(Boolean).join(' › '), ...repeatOf(test)].join(' '),
    message: messageOf({ status, expectedStatus, errors }) ?? 'no message',
  };
}

function describeFlaky(test: TestCase): string[] {
  const title = test.titlePath().filter(Boolean).join(' › ');
  const found = test.results.flatMap(({ attachments }) => attachments).find(({ name }) => name === 'gasoline-flaky');
  const text = found?.body?.toString('utf8').trim();
  return [`Flaky: ${title}`, ...(text ? text.split('\n').map((line) => `  ${line}`) : [])];
}

function formatOf(file: string): NonNullable<GasolineReporterOptions['format']> {
  if (file.endsWith('.json')) return 'json';
  if (file.endsWith('.xml')) return 'junit';
  return file.endsWith('.txt') ? 'text' : 'markdown';
}
