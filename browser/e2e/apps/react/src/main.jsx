import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './App.jsx';

console.info('react starts');
createRoot(document.getElementById('app')).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
