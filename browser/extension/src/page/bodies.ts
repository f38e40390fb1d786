// The same script for when bodies are captured. A separate file, because the first request must not wait for a setting
// to be read.

import './bodies-flag';
import './index';
