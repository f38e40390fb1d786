import { createRoot } from 'react-dom/client';
import { Shop } from './Shop.jsx';
import { restoreSession } from './session.js';

restoreSession();
createRoot(document.getElementById('root')).render(<Shop />);
