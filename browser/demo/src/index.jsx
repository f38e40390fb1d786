import { Shop } from './Shop.jsx';
import { restoreSession } from './session.js';
import React, { createRoot } from './vendor.js';

restoreSession();
createRoot(document.getElementById('root')).render(<Shop />);
