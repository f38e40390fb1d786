// The shop's dependencies, as a separate script.

export { useEffect, useState } from 'react';
export { Fragment, jsx, jsxs } from 'react/jsx-runtime';
export { createRoot } from 'react-dom/client';
