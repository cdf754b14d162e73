// The files in an archive of the kit, which are not compressed there: the way to the phone did that.

const DIRECTORY_END = 0x06054b50;
const END_SIZE = 22;
const ENTRY_SIZE = 46;
const LOCAL_SIZE = 30;

// Each file's name and content, which is a part of `buffer` and no copy.
export function* unzip(buffer) {
  const view = new DataView(buffer);
  const end = buffer.byteLength - END_SIZE;
  if (view.getUint32(end, true) !== DIRECTORY_END) throw new Error("this is no archive of the kit");
  let place = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left > 0; left -= 1) {
    const [size, length, extra, comment] = [
      view.getUint32(place + 24, true), view.getUint16(place + 28, true), view.getUint16(place + 30, true), view.getUint16(place + 32, true),
    ];
    const local = view.getUint32(place + 42, true);
    const name = new TextDecoder().decode(new Uint8Array(buffer, place + ENTRY_SIZE, length));
    const start = local + LOCAL_SIZE + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    yield [name, new Uint8Array(buffer, start, size)];
    place += ENTRY_SIZE + length + extra + comment;
  }
}
