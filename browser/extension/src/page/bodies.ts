// The same script for when bodies are captured: the first request must not wait for a setting to be read.

import './bodies-flag';
import './index';
