/** Reads what a grade needs from a 64-bit little-endian ELF file. Its bytes are hostile: every read is checked. */

/** One entry of a symbol table. */
export interface ElfSymbol {
  readonly name: string;
  readonly binding: "local" | "global" | "weak" | "unique" | "other";
  readonly type: "none" | "object" | "function" | "section" | "file" | "common" | "tls" | "ifunc" | "other";
  readonly visibility: "default" | "internal" | "hidden" | "protected";
  /** Defined in this file, as opposed to being asked of others. */
  readonly defined: boolean;
  /** Index of the section that holds it; 0 when undefined. */
  readonly section: number;
  readonly value: number;
  readonly size: number;
}

/** One section; `bytes` is empty for those that take no space in the file. */
export interface ElfSection {
  readonly name: string;
  readonly type: number;
  readonly flags: number;
  readonly address: number;
  readonly link: number;
  readonly bytes: Buffer;
}

export interface ElfFile {
  readonly sections: readonly ElfSection[];
  /** `.symtab`, or `.dynsym` where that was stripped. */
  readonly symbols: readonly ElfSymbol[];
  /** Names of the shared objects it needs (DT_NEEDED). */
  readonly needed: readonly string[];
}

const sectionType = { symbolTable: 2, dynamic: 6, noBits: 8, dynamicSymbols: 11 } as const;
const loadSegment = 1;
/** `sh_flags` bit of sections with instructions. */
export const sectionIsCode = 4;
const bindings = { 0: "local", 1: "global", 2: "weak", 10: "unique" } as const;
const types = ["none", "object", "function", "section", "file", "common", "tls"] as const;
const visibilities = ["default", "internal", "hidden", "protected"] as const;

/** @throws RangeError for a file that isn't such an ELF file, or whose tables point outside of it. */
export function readElf(file: Buffer): ElfFile {
  if (file.length < 64 || file.readUInt32BE(0) !== 0x7f454c46 || file[4] !== 2 || file[5] !== 1)
    throw new RangeError("not a 64-bit little-endian ELF file");
  const sections = readSections(file);
  const table =
    sections.find((s) => s.type === sectionType.symbolTable) ??
    sections.find((s) => s.type === sectionType.dynamicSymbols);
  return { sections, symbols: table ? readSymbols(table, sections) : [], needed: readNeeded(sections) };
}

/**
 * The part of a shared object that is mapped when it is loaded: no section table, and so no symbols but those
 * that others refer to, no line tables, no names of files.
 *
 * @throws RangeError as {@link readElf} does.
 */
export function loadablePart(file: Buffer): Buffer {
  const [offset, entrySize, count] = [
    Number(file.readBigUInt64LE(32)),
    file.readUInt16LE(54),
    file.readUInt16LE(56),
  ];
  let end = offset + entrySize * count;
  for (let i = 0; i < count; i++) {
    const at = offset + i * entrySize;
    if (file.readUInt32LE(at) !== loadSegment) continue;
    end = Math.max(end, Number(file.readBigUInt64LE(at + 8)) + Number(file.readBigUInt64LE(at + 32)));
  }
  if (end > file.length) throw new RangeError("segment outside of the file");
  const part = Buffer.from(file.subarray(0, end));
  part.writeBigUInt64LE(0n, 40);
  part.writeUInt16LE(0, 60);
  part.writeUInt16LE(0, 62);
  return part;
}

function readSections(file: Buffer): ElfSection[] {
  const offset = Number(file.readBigUInt64LE(40));
  const [entrySize, count, namesIndex] = [
    file.readUInt16LE(58),
    file.readUInt16LE(60),
    file.readUInt16LE(62),
  ];
  if (count > 0 && entrySize !== 64) throw new RangeError("unknown section header size");
  const raw = Array.from({ length: count }, (_, i) => {
    const at = offset + i * entrySize;
    const type = file.readUInt32LE(at + 4);
    const [start, size] = [Number(file.readBigUInt64LE(at + 24)), Number(file.readBigUInt64LE(at + 32))];
    if (type !== sectionType.noBits && start + size > file.length)
      throw new RangeError("section outside of the file");
    return {
      nameAt: file.readUInt32LE(at),
      type,
      flags: Number(file.readBigUInt64LE(at + 8) & 0xffff_ffffn),
      address: Number(file.readBigUInt64LE(at + 16)),
      link: file.readUInt32LE(at + 40),
      bytes: type === sectionType.noBits ? Buffer.alloc(0) : file.subarray(start, start + size),
    };
  });
  const names = raw[namesIndex]?.bytes ?? Buffer.alloc(0);
  return raw.map(({ nameAt, ...section }) => ({ name: textAt(names, nameAt), ...section }));
}

function readSymbols(table: ElfSection, sections: readonly ElfSection[]): ElfSymbol[] {
  const names = sections[table.link]?.bytes ?? Buffer.alloc(0);
  const { bytes } = table;
  const symbols: ElfSymbol[] = [];
  for (let at = 24; at + 24 <= bytes.length; at += 24) {
    const info = bytes.readUInt8(at + 4);
    const section = bytes.readUInt16LE(at + 6);
    symbols.push({
      name: textAt(names, bytes.readUInt32LE(at)),
      binding: bindings[(info >> 4) as keyof typeof bindings] ?? "other",
      type: (info & 15) === 10 ? "ifunc" : (types[info & 15] ?? "other"),
      visibility: visibilities[bytes.readUInt8(at + 5) & 3] ?? "default",
      defined: section !== 0,
      section,
      value: Number(bytes.readBigUInt64LE(at + 8)),
      size: Number(bytes.readBigUInt64LE(at + 16)),
    });
  }
  return symbols;
}

function readNeeded(sections: readonly ElfSection[]): string[] {
  const dynamic = sections.find((s) => s.type === sectionType.dynamic);
  const names = dynamic && sections[dynamic.link]?.bytes;
  if (!dynamic || !names) return [];
  const needed: string[] = [];
  for (let at = 0; at + 16 <= dynamic.bytes.length; at += 16)
    if (dynamic.bytes.readBigInt64LE(at) === 1n)
      needed.push(textAt(names, Number(dynamic.bytes.readBigUInt64LE(at + 8))));
  return needed;
}

function textAt(table: Buffer, at: number): string {
  const end = table.indexOf(0, at);
  return table.toString("latin1", Math.min(at, table.length), end < 0 ? table.length : end);
}

/** Names that a plain link would refuse to see twice: strong definitions that other files can refer to. */
export function strongNames(elf: ElfFile): Set<string> {
  const strong = elf.symbols.filter((s) => s.defined && s.binding === "global" && s.type !== "section");
  return new Set(strong.map((s) => s.name));
}
