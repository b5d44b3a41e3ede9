import { describe, expect, test } from "vitest";
import { cxxflagFaults, ldflagFaults, sortFlags } from "./manifest-flags.ts";

describe("flags that are refused", () => {
  test.each([
    "@flags.txt",
    "-fplugin=x.so",
    "-specs=x",
    "--specs=x",
    "-wrapper",
    "-Btools",
    "-oa.out",
    "-o",
    "-x",
    "-xc",
    "-c",
    "-S",
    "-E",
    "-MD",
    "-MF",
    "-save-temps",
    "-save-temps=obj",
    "-dumpdir",
    "-fprofile-generate",
    "-fprofile-use=x",
    "--sysroot=/x",
    "-isysroot",
    "--coverage",
    "-Wp,-DNDEBUG",
    "-Wa,-a",
    "-Xclang",
    "-fsanitize-ignorelist=x",
    "--include-directory=/",
    "-ftime-trace",
    "-dM",
    "main.cpp",
    "-",
    "-O2 -g",
    "-DA\n",
    "-fsanitize=all",
    "-I/usr/include",
    "-I../other",
    "-I=x",
    "-D",
    "-Wl,-T,x.ld",
    "-include/etc/passwd",
  ])("%s is refused with a reason", (flag) => {
    const [fault] = cxxflagFaults(["-O2", flag]);
    expect(fault?.index).toBe(1);
    expect(fault?.reason).toMatch(/^\w/);
  });

  test("a flag whose value is the next entry is judged with it", () => {
    expect(cxxflagFaults(["-I", "/usr/include"])[0]?.reason).toBe("adds an include folder that is absolute");
    expect(cxxflagFaults(["-include", "/etc/passwd"])[0]?.reason).toBe("includes a file that is absolute");
    expect(cxxflagFaults(["-include", "../x.hpp"])[0]?.reason).toBe(
      "includes a file that lies outside the task folder",
    );
  });

  test("a linker flag that reads a file is refused, wherever it stands", () => {
    expect(ldflagFaults(["-Wl,--version-script=x"])[0]?.reason).toBe("makes the linker read or write a file");
    expect(ldflagFaults(["-L/opt/lib"])[0]?.reason).toBe("adds a library folder that is absolute");
    expect(cxxflagFaults(["-L", "../lib"])[0]?.reason).toBe(
      "adds a library folder that lies outside the task folder",
    );
  });
});

test.each([
  "-std=c++20",
  "-O2",
  "-g3",
  "-Wall",
  "-w",
  "-fpermissive",
  '-DNAME="a -b"',
  "-UNDEBUG",
  "-DNDEBUG",
  "-fsanitize=thread",
  "-fno-sanitize=vptr",
  "-fno-sanitize-recover=all",
  "-march=native",
  "-pthread",
  "-lm",
  "-Ilib",
  "-fno-exceptions",
  "-ffile-prefix-map=a=b",
  "-pipe",
  "-pedantic",
  "-Werror",
  "-static-libasan",
  "-fuse-ld=gold",
  "-fmodules-ts",
])("%s is accepted", (flag) => {
  expect(cxxflagFaults([flag])).toEqual([]);
});

test("include folders and linker flags are told apart from the compiler's", () => {
  expect(
    sortFlags(["-Ia", "-iquote", "b", "-D", "X=1", "-L", "c", "-lz", "-Wl,--gc-sections", "-pthread"]),
  ).toEqual({
    cxxflags: ["-D", "X=1", "-pthread"],
    include: ["a", "b"],
    ldflags: ["-L", "c", "-lz", "-Wl,--gc-sections", "-pthread"],
  });
});
