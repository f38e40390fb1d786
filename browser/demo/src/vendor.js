// What the shop is built on, shipped apart from it.

export { useEffect, useState } from 'react';
export { Fragment, jsx, jsxs } from 'react/jsx-runtime';
export { createRoot } from 'react-dom/client';
