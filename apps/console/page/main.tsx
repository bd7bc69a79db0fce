/** The page: a login, then the views. */

import { render } from 'preact';
import { onKeysChanged, takeSentKey } from './state/login-keys.ts';
import { loadSession } from './state/session.ts';
import { followTheme } from './state/theme.ts';
import { App } from './views/app.tsx';

takeSentKey();
onKeysChanged(() => void loadSession());
followTheme();
const root = document.getElementById('app');
if (root !== null) render(<App />, root);
