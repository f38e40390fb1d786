// Annotations that make errors large cost the AI client's context: three large ones within a minute show a warning.

import { ANNOTATION_WARN_BYTES, ANNOTATION_WARN_ENTRIES, ANNOTATION_WARN_SECONDS } from 'gasoline-capture/limits.gen';

const WINDOW = ANNOTATION_WARN_SECONDS * 1_000;

export class AnnotationMonitor {
  private large: Array<{ at: number; bytes: number }> = [];
  private shown: { kilobytes: number } | null = null;

  constructor(private readonly now: () => number = Date.now) {}

  /** `bytes`: the size of all annotations of one error. */
  note(bytes: number): void {
    if (bytes <= ANNOTATION_WARN_BYTES) return;
    const at = this.now();
    this.large = [...this.large.filter((entry) => at - entry.at < WINDOW), { at, bytes }];
    if (this.large.length < ANNOTATION_WARN_ENTRIES) return;
    this.shown = { kilobytes: Math.round(Math.max(...this.large.map((entry) => entry.bytes)) / 1_024) };
  }

  /** The warning, until a minute has passed without a large annotation. */
  get warning(): { kilobytes: number } | null {
    const last = this.large.at(-1)?.at ?? 0;
    if (this.now() - last >= WINDOW) this.shown = null;
    return this.shown;
  }

  dismiss(): void {
    this.large = [];
    this.shown = null;
  }
}
