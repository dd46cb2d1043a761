/** A worker that listens, sends signs of life, and at its first start hangs when it is told to. */
process.send({ url: `http://127.0.0.1:${process.env.SVC_WORKER_PORT}` });
const beat = () => process.send({ alive: true });
beat();
setInterval(beat, 50);
process.on('message', () => {
  for (;;);
});
