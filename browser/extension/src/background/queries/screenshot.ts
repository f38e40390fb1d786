// A screenshot of the tab: the visible part, or the whole page, part by part.

import type { ScreenshotAnswer } from 'gasoline-capture/wire.gen';
import { orElse } from '../deadline';
import type { Camera } from './camera';
import { Failure } from './failure';
import { injected, withinTime } from './inject';
import type { Target } from './target';

/** A page longer than this is cut: a canvas cannot be larger, and the query has a deadline. */
const MOST_PARTS = 15;
const MOST_PIXELS = 16_000;
const QUALITY = 0.85;
const CLEANUP_MILLIS = 1_000;

interface Page {
  width: number;
  height: number;
  viewHeight: number;
  viewWidth: number;
  x: number;
  y: number;
  scale: number;
  /** Selectors of elements that stay in place while the page scrolls. */
  fixed: string[];
}

export async function takeScreenshot(
  target: Target,
  fullPage: boolean,
  millis: number,
  camera: Camera,
): Promise<ScreenshotAnswer> {
  if (!fullPage) return measured(await camera.shoot(target));
  const until = Date.now() + millis;
  /** All steps share the time: other queries wait for the camera. */
  const left = () => {
    const rest = until - Date.now();
    if (rest > 0) return rest;
    throw new Failure('QUERY_TIMEOUT', `The screenshot did not finish within ${millis / 1_000} s.`);
  };
  return camera.alone(async (shoot) => {
    const page = await injected<Page, []>(target, left(), { func: measure, args: [] });
    if (page.height <= page.viewHeight) return measured(await shoot(target));
    return wholePage(target, page, left, shoot);
  });
}

async function wholePage(
  target: Target,
  page: Page,
  left: () => number,
  shoot: Camera['shoot'],
): Promise<ScreenshotAnswer> {
  const most = Math.min(MOST_PARTS * page.viewHeight, Math.floor(MOST_PIXELS / page.scale));
  const height = Math.min(page.height, most);
  const canvas = new OffscreenCanvas(Math.round(page.viewWidth * page.scale), Math.round(height * page.scale));
  const context = canvas.getContext('2d');
  if (!context) throw new Error('The browser could not create a canvas.');
  const css = { target: { tabId: target.id, frameIds: [0] } };
  const still = 'html { scroll-behavior: auto !important }';
  // Sticky headers would appear in every part, so they are hidden in all but the first.
  const hidden = page.fixed.length > 0 ? `${page.fixed.join(', ')} { visibility: hidden !important }` : '';
  try {
    await withinTime(chrome.scripting.insertCSS({ ...css, css: still }), target, left());
    for (let top = 0; top < height; top += page.viewHeight) {
      if (top === page.viewHeight && hidden) {
        await withinTime(chrome.scripting.insertCSS({ ...css, css: hidden }), target, left());
      }
      const reached = await injected<number, [number, number]>(target, left(), { func: scrollThere, args: [0, top] });
      const part = await createImageBitmap(await (await fetch(await shoot(target))).blob());
      context.drawImage(part, 0, Math.round(reached * page.scale));
      part.close();
    }
  } finally {
    // If the page hangs, these run when it continues.
    await Promise.all([
      orElse(CLEANUP_MILLIS, chrome.scripting.removeCSS({ ...css, css: still }), undefined),
      hidden && orElse(CLEANUP_MILLIS, chrome.scripting.removeCSS({ ...css, css: hidden }), undefined),
    ]);
    const back = { func: scrollThere, args: [page.x, page.y] as [number, number] };
    await injected<number, [number, number]>(target, CLEANUP_MILLIS, back).catch(() => {});
  }
  const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: QUALITY });
  return {
    data_url: `data:image/jpeg;base64,${base64(new Uint8Array(await blob.arrayBuffer()))}`,
    width: canvas.width,
    height: canvas.height,
    ...(height < page.height && { cut: `the page is ${page.height} px high; this shows the first ${height}` }),
  };
}

async function measured(data_url: string): Promise<ScreenshotAnswer> {
  const picture = await createImageBitmap(await (await fetch(data_url)).blob());
  const { width, height } = picture;
  picture.close();
  return { data_url, width, height };
}

/** In steps, because a call with a million arguments fails. */
function base64(bytes: Uint8Array): string {
  let text = '';
  for (let start = 0; start < bytes.length; start += 32_768) {
    text += String.fromCharCode(...bytes.subarray(start, start + 32_768));
  }
  return btoa(text);
}

/** Runs in the page. */
function measure(): Page {
  const pathTo = (element: Element): string => {
    const steps: string[] = [];
    for (let at: Element | null = element; at; at = at.parentElement) {
      const place = at.parentElement ? [...at.parentElement.children].indexOf(at) + 1 : 0;
      steps.unshift(place > 0 ? `${CSS.escape(at.localName)}:nth-child(${place})` : ':root');
    }
    return steps.join(' > ');
  };
  const fixed: string[] = [];
  let seen = 0;
  for (const element of document.querySelectorAll('body *')) {
    if (++seen > 5_000 || fixed.length >= 20) break;
    const { position } = getComputedStyle(element);
    if (position === 'fixed' || position === 'sticky') fixed.push(pathTo(element));
  }
  const root = document.documentElement;
  return {
    width: root.scrollWidth,
    height: Math.max(root.scrollHeight, document.body?.scrollHeight ?? 0),
    viewWidth: innerWidth,
    viewHeight: innerHeight,
    x: scrollX,
    y: scrollY,
    scale: devicePixelRatio,
    fixed,
  };
}

/** Runs in the page: scrolls, waits until the new position is painted, and returns it. */
async function scrollThere(x: number, y: number): Promise<number> {
  window.scrollTo({ left: x, top: y, behavior: 'instant' });
  // A page in the background paints no frames, so a timer has to do.
  const frame = () =>
    new Promise<void>((resolve) => {
      requestAnimationFrame(() => resolve());
      setTimeout(resolve, 100);
    });
  await frame();
  await frame();
  return scrollY;
}
