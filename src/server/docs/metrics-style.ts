/** The stylesheet of /docs/metrics. */
export const metricsStyle = `:root { color-scheme: light dark; }
body { max-width: 60rem; margin: 0 auto; padding: 1rem; font: 16px/1.5 system-ui, sans-serif; }
nav { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; }
h2 { margin: 2.5rem 0 0; }
article { padding: 1rem 0; border-bottom: 1px solid #8884; }
h3, article p { margin: 0 0 0.5rem; }
h3 a { color: inherit; text-decoration: none; }
article:target { background: #8882; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.15rem 1rem; margin: 0; }
dt { opacity: 0.75; }
dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
ul { margin: 0; padding: 0; list-style: none; }
li span { opacity: 0.75; }
@media (max-width: 40rem) { dl { grid-template-columns: 1fr; } dt { margin-top: 0.5rem; } }
`;
