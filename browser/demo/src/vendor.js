// What the shop is built on, shipped apart from it.

export { default, useEffect, useState } from 'react';
export { createRoot } from 'react-dom/client';
