import { RECORDING_SECONDS } from 'gasoline-capture/limits.gen';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { TabRecording } from '../src/offscreen/tab-recording';
import { patchHead, withDuration } from '../src/offscreen/webm-duration';

const EBML = [0x1a, 0x45, 0xdf, 0xa3, 0x84, 0x42, 0x86, 0x81, 0x01];
const SEGMENT = [0x18, 0x53, 0x80, 0x67, 0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff];
const SCALE = [0x2a, 0xd7, 0xb1, 0x83, 0x0f, 0x42, 0x40];
const CLUSTER = [0x1f, 0x43, 0xb6, 0x75, 0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xe7, 0x81, 0x00];
const info = (...content: number[]) => [0x15, 0x49, 0xa9, 0x66, 0x80 | content.length, ...content];
/** 2500 as a double. */
const DURATION = [0x44, 0x89, 0x88, 0x40, 0xa3, 0x88, 0, 0, 0, 0, 0];

test('the duration is written after the information of the browser', async () => {
  const recorded = Uint8Array.from([...EBML, ...SEGMENT, ...info(...SCALE), ...CLUSTER]);
  const wanted = [...EBML, ...SEGMENT, 0x15, 0x49, 0xa9, 0x66, 0x40, 18, ...SCALE, ...DURATION, ...CLUSTER];
  expect([...(patchHead(recorded, 2.5) ?? [])]).toEqual(wanted);
  const long = new Blob([recorded, new Uint8Array(10_000).fill(7)], { type: 'video/webm' });
  const patched = await withDuration(long, 2.5);
  expect(patched.size).toBe(long.size + 12);
  expect(patched.type).toBe('video/webm');
  const bytes = new Uint8Array(await patched.arrayBuffer());
  expect([...bytes.subarray(0, wanted.length)]).toEqual(wanted);
  expect(bytes.subarray(wanted.length).every((byte) => byte === 7)).toBe(true);
});

test.each([
  ['nothing', []],
  ['something else', [0x52, 0x49, 0x46, 0x46, 1, 2, 3, 4]],
  ['a head that breaks off', [...EBML, ...SEGMENT, 0x15, 0x49, 0xa9, 0x66, 0x90, 1]],
  ['a file that knows its duration', [...EBML, ...SEGMENT, ...info(...SCALE, ...DURATION)]],
  ['a file with positions in it', [...EBML, ...SEGMENT, 0x11, 0x4d, 0x9b, 0x74, 0x80, ...info(...SCALE)]],
  ['a file without that part', [...EBML, ...SEGMENT, ...CLUSTER]],
  ['sizes of zero bytes', [...EBML, ...SEGMENT, 0x15, 0x49, 0xa9, 0x66, 0, 0, 0]],
])('%s is not changed', (_, bytes) => {
  expect(patchHead(Uint8Array.from(bytes), 1)).toBeUndefined();
});

class FakeRecorder {
  static isTypeSupported = () => true;
  state = 'inactive';
  mimeType = 'video/webm;codecs=vp9';
  onstop?: () => void;
  start() {
    this.state = 'recording';
  }
  stop() {
    this.state = 'inactive';
    this.onstop?.();
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  const track = { getSettings: () => ({ width: 800, height: 600, frameRate: 30 }), stop: vi.fn() };
  const getUserMedia = async () => ({ getVideoTracks: () => [track] });
  vi.stubGlobal('navigator', { mediaDevices: { getUserMedia } });
  vi.stubGlobal('MediaRecorder', FakeRecorder);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a recording ends at its time limit, even if the page never changes', async () => {
  const recording = await TabRecording.begin('id', { width: 800, height: 600 });
  let ended = false;
  void recording.ended.then(() => {
    ended = true;
  });
  await vi.advanceTimersByTimeAsync((RECORDING_SECONDS - 1) * 1_000);
  expect(ended).toBe(false);
  await vi.advanceTimersByTimeAsync(1_000);
  const { duration_seconds, resolution } = await recording.ended;
  expect([duration_seconds, resolution]).toEqual([RECORDING_SECONDS, '800x600']);
});
