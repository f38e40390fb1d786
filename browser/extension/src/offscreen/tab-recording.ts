// One recording of one tab. It ends on request, when the tab is closed, or at the limit of length or size.

import { RECORDING_BYTES, RECORDING_FRAME_RATE, RECORDING_SECONDS } from 'gasoline-capture/limits.gen';
import type { RecordOrder } from '../shared/offscreen-messages';
import { withDuration } from './webm-duration';

const PIECE_MILLIS = 1_000;
/** Text stays legible at this rate, and ten minutes of a still page are small enough for the server. */
const BITS_PER_SECOND = 2_500_000;
const MAX_WIDTH = 1_920;
const MAX_HEIGHT = 1_080;
/** Room for the last piece and the header. */
const SPARE_BYTES = 16 * 1_048_576;
const VP9 = 'video/webm;codecs=vp9';
const VP8 = 'video/webm;codecs=vp8';

export interface Recorded {
  video: Blob;
  duration_seconds: number;
  resolution: string;
  frame_rate: number;
  mime_type: string;
}

export class TabRecording {
  /** Resolves when the recording has ended, whatever ended it. */
  readonly ended: Promise<Recorded>;
  private readonly startedAt = performance.now();
  private readonly pieces: Blob[] = [];
  private bytes = 0;

  private constructor(
    private readonly recorder: MediaRecorder,
    track: MediaStreamTrack,
  ) {
    const { width = 0, height = 0, frameRate = RECORDING_FRAME_RATE } = track.getSettings();
    recorder.ondataavailable = ({ data }) => this.take(data);
    // Timers of hidden pages may be late, and a still page may bring no data, so both check the limits.
    const clock = setInterval(() => this.checkLimits(), PIECE_MILLIS);
    this.ended = new Promise<void>((ended) => {
      recorder.onstop = () => ended();
    }).then(async () => {
      clearInterval(clock);
      track.stop();
      const duration_seconds = Math.round(performance.now() - this.startedAt) / 1_000;
      const video = await withDuration(new Blob(this.pieces, { type: 'video/webm' }), duration_seconds);
      const resolution = `${width}x${height}`;
      return { video, duration_seconds, resolution, frame_rate: frameRate, mime_type: recorder.mimeType };
    });
    recorder.start(PIECE_MILLIS);
  }

  static async begin(streamId: string, size: RecordOrder['size']): Promise<TabRecording> {
    const stream = await navigator.mediaDevices.getUserMedia({ audio: false, video: tabSource(streamId, size) });
    const track = stream.getVideoTracks()[0];
    if (!track) throw new Error('the tab delivered no video');
    const mimeType = MediaRecorder.isTypeSupported(VP9) ? VP9 : VP8;
    const recorder = new MediaRecorder(stream, { mimeType, videoBitsPerSecond: BITS_PER_SECOND });
    return new TabRecording(recorder, track);
  }

  stop(): void {
    if (this.recorder.state !== 'inactive') this.recorder.stop();
  }

  private take(piece: Blob): void {
    this.pieces.push(piece);
    this.bytes += piece.size;
    this.checkLimits();
  }

  private checkLimits(): void {
    const seconds = (performance.now() - this.startedAt) / 1_000;
    if (seconds >= RECORDING_SECONDS || this.bytes >= RECORDING_BYTES - SPARE_BYTES) this.stop();
  }
}

/** Chrome's own way to use a tab as a camera, which is missing from the types. */
function tabSource(streamId: string, { width, height }: RecordOrder['size']): MediaTrackConstraints {
  const scale = Math.min(1, MAX_WIDTH / width, MAX_HEIGHT / height);
  const mandatory = {
    chromeMediaSource: 'tab',
    chromeMediaSourceId: streamId,
    maxWidth: even(width * scale),
    maxHeight: even(height * scale),
    maxFrameRate: RECORDING_FRAME_RATE,
  };
  return { mandatory } as MediaTrackConstraints;
}

/** Video stores colours for two pixels at a time, so an odd pixel would be cut off. */
function even(size: number): number {
  return 2 * Math.floor(size / 2);
}
