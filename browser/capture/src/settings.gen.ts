// Generated from crates/wire by `cargo xtask gen`. Do not edit.

/** The least console level that is captured. Errors are always. */
export type CaptureLevel = 'error' | 'warn' | 'all';

export interface Settings {
  /** `local` stands for the development hosts, `all` for everything, the rest are host patterns such as `*.example.com`. */
  sites: string[];
  /** Hosts (with port, if it has one) that the user switched off; they win over `sites`. */
  blockedSites: string[];
  /** The server's address, always on this machine. */
  server: string;
  captureLevel: CaptureLevel;
  captureConsole: boolean;
  captureWebSockets: boolean;
  captureActions: boolean;
  captureNetworkBodies: boolean;
  aiContextEnabled: boolean;
  screenshotOnError: boolean;
  networkWaterfall: boolean;
  performanceMarks: boolean;
  aiContextSourceSnippets: boolean;
  aiContextComponentTree: boolean;
  aiContextStateSnapshot: boolean;
  allowExecuteJs: boolean;
  debugMode: boolean;
}

/** The settings that are on or off. */
export type Switch = 'captureConsole' | 'captureWebSockets' | 'captureActions' | 'captureNetworkBodies' | 'aiContextEnabled' | 'screenshotOnError' | 'networkWaterfall' | 'performanceMarks' | 'aiContextSourceSnippets' | 'aiContextComponentTree' | 'aiContextStateSnapshot' | 'allowExecuteJs' | 'debugMode';

export const CAPTURE_LEVELS: readonly CaptureLevel[] = ['error', 'warn', 'all'];

export const DEFAULTS: Settings = {
  sites: ['local'],
  blockedSites: [],
  server: 'http://127.0.0.1:7890',
  captureLevel: 'all',
  captureConsole: true,
  captureWebSockets: true,
  captureActions: true,
  captureNetworkBodies: false,
  aiContextEnabled: true,
  screenshotOnError: false,
  networkWaterfall: false,
  performanceMarks: false,
  aiContextSourceSnippets: true,
  aiContextComponentTree: true,
  aiContextStateSnapshot: false,
  allowExecuteJs: false,
  debugMode: false,
};

/** The settings that the server and its AI clients know. */
export const REPORTED = ['captureConsole', 'captureWebSockets', 'captureActions', 'captureNetworkBodies', 'aiContextEnabled', 'screenshotOnError', 'networkWaterfall', 'performanceMarks', 'aiContextSourceSnippets', 'aiContextComponentTree', 'aiContextStateSnapshot', 'allowExecuteJs', 'captureLevel', 'sites', 'blockedSites'] as const;

export type ReportedSettings = { [K in (typeof REPORTED)[number]]?: Settings[K] | null };

/** The switches that the capture in the page obeys. One that is off by default may be left out. */
export interface PageSwitches {
  level: CaptureLevel;
  console: boolean;
  webSockets: boolean;
  actions: boolean;
  networkWaterfall?: boolean;
  performanceMarks?: boolean;
  debug?: boolean;
}

export const PAGE_DEFAULTS: PageSwitches = {
  level: 'all',
  console: true,
  webSockets: true,
  actions: true,
};

/** Which setting each of them is. */
export const PAGE_SETTINGS: { [K in keyof PageSwitches]-?: keyof Settings } = {
  level: 'captureLevel',
  console: 'captureConsole',
  webSockets: 'captureWebSockets',
  actions: 'captureActions',
  networkWaterfall: 'networkWaterfall',
  performanceMarks: 'performanceMarks',
  debug: 'debugMode',
};

export type Place = 'console' | 'captured' | 'added' | 'acting' | 'context' | 'context-parts' | 'debug';

/** A switch as the popup or the options page shows it. */
export interface Row {
  key: Switch;
  place: Place;
  label: string;
  /** What it costs, or adds. Text between backticks is set as code. */
  cost: string;
  /** What the user should know while it is on. */
  note?: string;
}

export const ROWS: readonly Row[] = [
  {
    key: 'captureConsole',
    place: 'console',
    label: "Console",
    cost: "Up to 16 KB per message",
  },
  {
    key: 'captureWebSockets',
    place: 'captured',
    label: "WebSockets",
    cost: "Up to 4 KB per message",
  },
  {
    key: 'captureActions',
    place: 'captured',
    label: "User actions",
    cost: "~2 KB per error",
  },
  {
    key: 'captureNetworkBodies',
    place: 'captured',
    label: "Network bodies",
    cost: "Up to 24 KB per request; may hold personal data",
    note: "What pages send and receive is readable by your AI client",
  },
  {
    key: 'aiContextEnabled',
    place: 'added',
    label: "AI error context",
    cost: "Source lines and components around the error",
  },
  {
    key: 'aiContextEnabled',
    place: 'context',
    label: "Add context to errors",
    cost: "The same switch as in the popup",
  },
  {
    key: 'screenshotOnError',
    place: 'added',
    label: "Screenshot on error",
    cost: "A JPEG file on disk per error",
    note: "High-resolution displays will produce large files",
  },
  {
    key: 'networkWaterfall',
    place: 'added',
    label: "Network waterfall",
    cost: "~50 KB per error",
    note: "Adds ~50KB of timing data per error",
  },
  {
    key: 'performanceMarks',
    place: 'added',
    label: "Performance marks",
    cost: "2–10 KB per error",
    note: "Adds timing data to log entries",
  },
  {
    key: 'aiContextSourceSnippets',
    place: 'context-parts',
    label: "Source code snippets",
    cost: "The lines around the error, from source maps that contain the source",
  },
  {
    key: 'aiContextComponentTree',
    place: 'context-parts',
    label: "Component ancestry",
    cost: "The components around the error, in React, Vue, Svelte and Angular",
  },
  {
    key: 'aiContextStateSnapshot',
    place: 'context-parts',
    label: "State snapshot",
    cost: "The application’s state when the error happened; may hold sensitive values",
    note: "Your AI client can read the values that are in the state",
  },
  {
    key: 'allowExecuteJs',
    place: 'acting',
    label: "Allow AI to run JavaScript",
    cost: "Any code, in your pages, with your logins",
    note: "Your AI client can now change pages. Switch this off when you no longer need it.",
  },
  {
    key: 'debugMode',
    place: 'debug',
    label: "Debug mode",
    cost: "Writes `gasoline:perf` metrics into the debug log every minute: memory, buffers, dropped events, what was left out because it took too long",
  },
];
