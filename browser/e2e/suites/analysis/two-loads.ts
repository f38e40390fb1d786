// Loads a page twice, the second time slowly, and reads the report.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import type { Agent, Answer } from '../../support/agent';
import type { Site } from '../../support/site';

export interface Report {
  text: string;
  facts: Answer;
}

export async function report(agent: Agent): Promise<Report> {
  const answer = (await agent.raw('check_performance', {})) as Answer;
  return { text: answer.content[0].text, facts: answer.structuredContent };
}

/** The metrics that got worse. A page may be blocked for a moment; these tests ignore that. */
export function regressionsOf({ facts }: Report): string[] {
  const metrics = (facts.regressions as Answer[]).map(({ metric }) => metric);
  return metrics.filter((metric) => !['longTasks', 'totalBlockingTime'].includes(metric));
}

/** Loads a file of this folder under a name that has no loads yet. */
export async function loadTwice(
  { page, site, agent }: { page: Page; site: Site; agent: Agent },
  file: string,
  path: string,
  beSlow: (slow: boolean) => void,
): Promise<{ first: Report; second: Report }> {
  const html = readFileSync(join(import.meta.dirname, file));
  site.routes.set(path, (_, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end(html));
  const told = async (loadsBefore: number) => {
    const isTold = async () => {
      const { url, baseline } = (await report(agent)).facts;
      return url === path && baseline?.sampleCount === loadsBefore;
    };
    await expect.poll(isTold).toBe(true);
    return report(agent);
  };
  beSlow(false);
  await page.goto(site.url(path));
  const first = await told(0);
  beSlow(true);
  await page.reload();
  return { first, second: await told(1) };
}
