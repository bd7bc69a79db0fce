/** The page: a login, then the views. */

import { render } from 'preact';
import { followTheme } from './state/theme.ts';
import { App } from './views/app.tsx';

followTheme();
const root = document.getElementById('app');
if (root !== null) render(<App />, root);
