/** `npm run rules`: what holds of the texts of the project itself. No server, no database, no build. */
import './api-docs.js';
import './clocks.js';
import './documents.js';
import './folders.js';
import './generated-docs.js';
import './import-directions.js';
import './lines.js';
import './numbers-in-prose.js';
import './own-prose.js';
import './plain-english.js';
import './regular-expressions.js';
import './sdk-types.js';
