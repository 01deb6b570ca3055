// Every way that is known to make NVRTC tell of a file of the host (docs/compile-box.md),
// tried at every level that keeps untrusted source from files. None may show a byte of a file, or
// differ between a file that is there and one that is not.
#include <sys/stat.h>
#include <unistd.h>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <chrono>
#include <functional>
#include <vector>

#include "tests/device/compiler/compilers.hpp"
#include "tests/temporary_folder.hpp"

namespace warpbook::tests::leaks_test {

using namespace warpbook::device;
using warpbook::tests::TemporaryFolder;
namespace fs = std::filesystem;

namespace {

constexpr const char* kCanary = "CANARY_b81c5e";

Compiler& boxed_compiler(ConfinementLevel level) {
  Compiler& compiler = compiler_at(level);
  if (compiler.status().level != level)
    SKIP("this machine does not allow " << name_of(level) << ": "
                                        << compiler.status().why_not_higher);
  return compiler;
}

/// All that a compile lets out.
std::string everything_out(Compiler& compiler, const CompileRequest& request) {
  const auto program = compiler.compile(request);
  if (!program) return everything_said(program.error());
  std::string text = (*program)->ptx;
  for (const Diagnostic& d : (*program)->diagnostics) text += d.text;
  return text;
}

std::string with(std::string text, const std::string& what, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

struct Trick {
  const char* name;
  const char* source;  ///< @ stands for the path
};

constexpr Trick kTricks[] = {
    {"absolute", "#include \"@\"\n"},
    {"angle", "#include <@>\n"},
    {"from the root", "#include \".@\"\n"},
    {"upwards", "#include \"../../../../../../../..@\"\n"},
    {"out of CUDA's folder", "#include <cuda/std/../../../../../../../../../..@>\n"},
    {"out of the box's name for it", "#include \"/cuda/../@\"\n"},
    {"double slash", "#include \"//@\"\n"},
    {"macro", "#define P \"@\"\n#include P\n"},
    {"macro in angles", "#define P <@>\n#include P\n"},
    {"__FILE__", "#line 1 \"@\"\n#include __FILE__\n"},
    {"quoted by #line", "#line 1 \"@\"\nint x = ;\n"},
    {"digraph", "%:include \"@\"\n"},
    {"trigraph", "?\?=include \"@\"\n"},
    {"spliced", "#incl\\\nude \"@\"\n"},
    {"spliced path", "#include \"\\\n@\"\n"},
    {"comment between", "#/**/include/**/\"@\"\n"},
    {"include_next", "#include_next \"@\"\n"},
    {"include_next in angles", "#include_next <@>\n"},
    {"import", "#import \"@\"\n"},
    {"module import", "import \"@\";\n"},
    {"embed", "__device__ const unsigned char x[] = {\n#embed \"@\"\n};\n"},
    {"has_include", "#if __has_include(\"@\")\n#error there\n#else\n#error absent\n#endif\n"},
    {"has_include in angles",
     "#if __has_include(<@>)\n#error there\n#else\n#error absent\n#endif\n"},
    {"has_embed", "#ifdef __has_embed\n#if __has_embed(\"@\")\n#error there\n#endif\n#endif\n"},
    {"pragma include", "#pragma include \"@\"\n"},
    {"pragma include_alias", "#pragma include_alias(\"a.h\", \"@\")\n#include \"a.h\"\n"},
    {"pragma dependency", "#pragma GCC dependency \"@\"\n"},
    {"incbin", "__global__ void f() { asm(\".incbin \\\"@\\\"\"); }\n"},
    {"file directive", "__global__ void f() { asm(\".file 9 \\\"@\\\"\"); }\n"},
    {"after a slow header", "#include <cuda/std/cstdint>\n#include \"@\"\n"},
};

}  // namespace

TEST_CASE("No trick shows what is in a file, or whether there is one") {
  const TemporaryFolder folder;
  const std::string there =
      folder.write("there_", "int x = " + std::string(kCanary) + ";\n").string();
  const std::string absent = (folder.path() / "absent").string();
  const ConfinementLevel level =
      GENERATE(ConfinementLevel::seccomp, ConfinementLevel::landlock, ConfinementLevel::namespaces);
  CAPTURE(name_of(level));
  Compiler& compiler = boxed_compiler(level);
  for (const Trick& trick : kTricks) {
    CAPTURE(trick.name);
    const std::string of_there =
        everything_out(compiler, request_of(with(trick.source, "@", there)));
    const std::string of_absent =
        everything_out(compiler, request_of(with(trick.source, "@", absent)));
    CHECK(of_there.find(kCanary) == std::string::npos);
    CHECK(with(of_there, there, "PATH") == with(of_absent, absent, "PATH"));
  }
}

TEST_CASE("The canary would be seen: with limits alone it is") {
  const TemporaryFolder folder;
  const std::string there =
      folder.write("there_", "int x = " + std::string(kCanary) + ";\n").string();
  const std::string out = everything_out(compiler_at(ConfinementLevel::limits),
                                         request_of("#include \"" + there + "\"\n"));
  CHECK(out.find(kCanary) != std::string::npos);
}

TEST_CASE("No trick shows the process or the machine") {
  const ConfinementLevel level =
      GENERATE(ConfinementLevel::seccomp, ConfinementLevel::landlock, ConfinementLevel::namespaces);
  CAPTURE(name_of(level));
  Compiler& compiler = boxed_compiler(level);
  for (const char* path : {"/proc/self/environ",
                           "/proc/self/maps",
                           "/proc/self/cmdline",
                           "/proc/self/fd/0",
                           "/proc/self/fd/3",
                           "/proc/self/fd/4",
                           "/proc/thread-self/status",
                           "/dev/stdin",
                           "/dev/fd/4",
                           "/etc/passwd",
                           "/etc/hostname",
                           "/proc/version",
                           "/sys/kernel/hostname",
                           "etc/passwd",
                           "proc/self/maps",
                           "/",
                           ".",
                           "..",
                           "/cuda",
                           "/pch/in",
                           "/pch/out",
                           "/tmp/edg1"}) {
    CAPTURE(path);
    const auto program = compiler.compile(request_of("#include \"" + std::string(path) + "\"\n"));
    REQUIRE_FALSE(program);
    REQUIRE(program.error().diagnostics.size() == 1);
    CHECK(program.error().diagnostics[0].text ==
          "cannot open source file \"" + std::string(path) + "\"");
    const auto asked = compiler.compile(
        request_of("#if __has_include(\"" + std::string(path) + "\")\n#error there\n#endif\n"));
    CHECK(asked.has_value());
  }
}

TEST_CASE("A file in the current folder of Warpbook is not found by its name") {
  const TemporaryFolder folder;
  const auto back = fs::current_path();
  fs::current_path(folder.path());
  (void)folder.write("beside.h", "int x = " + std::string(kCanary) + ";\n");
  Compiler::Options options;
  options.cache_folder = "-";
  Compiler compiler(options);
  const std::string out = everything_out(compiler, request_of("#include \"beside.h\"\n"));
  fs::current_path(back);
  CHECK(out.find(kCanary) == std::string::npos);
  CHECK(out.find("cannot open source file \"beside.h\"") != std::string::npos);
}

TEST_CASE("A link out of CUDA's folders, a pipe and a device are as good as absent") {
  // A toolkit of links to the real one, with traps among its headers.
  const Compiler::Status real = compiler().status();
  REQUIRE(real.available);
  const TemporaryFolder folder;
  fs::create_directories(folder.path() / "lib64");
  fs::create_directories(folder.path() / "include");
  fs::create_symlink(real.library, folder.path() / "lib64" / "libnvrtc.so.13");
  for (const char* name : {"cuda_runtime_api.h"})
    fs::copy(fs::path(real.headers) / name, folder.path() / "include" / name);
  const fs::path secret = folder.write("secret", "int x = " + std::string(kCanary) + ";\n");
  fs::create_symlink(secret, folder.path() / "include" / "link.h");
  fs::create_directory_symlink(folder.path(), folder.path() / "include" / "up");
  REQUIRE(::mkfifo((folder.path() / "include" / "pipe.h").c_str(), 0600) == 0);
  fs::create_symlink("/dev/zero", folder.path() / "include" / "zero.h");

  ::setenv("WARPBOOK_CUDA", folder.path().c_str(), 1);
  Compiler::Options options;
  options.cache_folder = "-";
  options.timeout_seconds = 10;
  Compiler trapped(options);
  const bool available = trapped.status().available;
  ::unsetenv("WARPBOOK_CUDA");
  REQUIRE(available);
  if (trapped.status().level == ConfinementLevel::limits) SKIP("this machine allows no box");
  for (const char* name : {"link.h", "up/secret", "pipe.h", "zero.h"}) {
    CAPTURE(name);
    const std::string out =
        everything_out(trapped, request_of("#include <" + std::string(name) + ">\n"));
    CHECK(out.find(kCanary) == std::string::npos);
    CHECK(out.find("cannot open source file") != std::string::npos);
  }
}

TEST_CASE("A pipe does not hang the compiler") {
  const TemporaryFolder folder;
  const fs::path pipe = folder.path() / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const ConfinementLevel level =
      GENERATE(ConfinementLevel::seccomp, ConfinementLevel::landlock, ConfinementLevel::namespaces);
  Compiler& compiler = boxed_compiler(level);
  const auto begin = std::chrono::steady_clock::now();
  const auto program = compiler.compile(request_of("#include \"" + pipe.string() + "\"\n"));
  CHECK_FALSE(program);
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(5));
}

TEST_CASE("Options do not come in through defines") {
  const TemporaryFolder folder;
  const std::string secret =
      folder.write("secret", "int x = " + std::string(kCanary) + ";\n").string();
  const std::string written = (folder.path() / "written").string();
  for (const auto& [name, value] : std::vector<std::pair<std::string, std::string>>{
           {"A", "1 --pre-include=" + secret},
           {"A", "1\" --pre-include=\"" + secret},
           {"A", "1' -include '" + secret},
           {"A", "1\t-include\t" + secret},
           {"A", "1 --create-pch=" + written},
           {"A", "1 --time=" + written},
           {"A", "1,--fdevice-time-trace=" + written},
           {"A", "--fdevice-time-trace " + written},
           {"A", "1;--options-file=" + secret},
       }) {
    CAPTURE(name, value);
    auto request = request_of("__global__ void f() {}\n#ifdef A\n#endif\nint broken = ;\n");
    request.defines = {{name, value}};
    const std::string out = everything_out(compiler(), request);
    CHECK(out.find(kCanary) == std::string::npos);
    CHECK_FALSE(fs::exists(written));
  }
}

TEST_CASE("Defines that are none are refused before anything runs") {
  for (const auto& [name, value] :
       std::vector<std::pair<std::string, std::string>>{{"", "1"},
                                                        {"--pre-include=/etc/passwd", "1"},
                                                        {"-include", "/etc/passwd"},
                                                        {"A B", "1"},
                                                        {"A=B", "1"},
                                                        {"F(x)", "x"},
                                                        {"1A", "1"},
                                                        {"A\n#include", "1"},
                                                        {"\xc3\xa9", "1"},
                                                        {"A", "1\n#include \"/etc/passwd\""},
                                                        {"A", "1\r"},
                                                        {"A", std::string("1\0", 2)},
                                                        {"A", "\\"},
                                                        {"A", "/* open"},
                                                        {"A", "// rest"},
                                                        {"A", std::string(5000, 'x')}}) {
    CAPTURE(name, value);
    auto request = request_of(kAdd);
    request.defines = {{name, value}};
    const auto program = compiler().compile(request);
    REQUIRE_FALSE(program);
    CHECK(program.error().error.code == ErrorCode::bad_define);
    CHECK(program.error().error.english().find('\n') == std::string::npos);
  }
}

TEST_CASE("Neither the source's name nor a name expression comes in as an option or a path") {
  const TemporaryFolder folder;
  const std::string secret =
      folder.write("secret", "int x = " + std::string(kCanary) + ";\n").string();
  auto request = request_of("int broken = ;\n");
  request.name = std::vector<std::string>{
      secret, "--pre-include=" + secret, "\" -include \"" + secret,
      folder.path().string() + "/"}[static_cast<std::size_t>(GENERATE(0, 1, 2, 3))];
  CAPTURE(request.name);
  CHECK(everything_out(compiler(), request).find(kCanary) == std::string::npos);
  auto beside = request_of("#include \"secret\"\n");
  beside.name = request.name;
  CHECK(everything_out(compiler(), beside).find(kCanary) == std::string::npos);
  auto expression = request_of(kAdd);
  expression.name_expressions = {"add\n#include \"" + secret + "\"\n", "--pre-include=" + secret};
  CHECK(everything_out(compiler(), expression).find(kCanary) == std::string::npos);
}

TEST_CASE("NVRTC's own variables in the environment change nothing") {
  const TemporaryFolder folder;
  const std::string secret =
      folder.write("secret", "int x = " + std::string(kCanary) + ";\n").string();
  ::setenv("NVRTC_APPEND_FLAGS", ("--pre-include=" + secret).c_str(), 1);
  ::setenv("NVRTC_PREPEND_FLAGS", ("--pre-include=" + secret).c_str(), 1);
  Compiler::Options options;
  options.cache_folder = "-";
  Compiler compiler(options);
  const auto program = compiler.compile(request_of(kAdd));
  ::unsetenv("NVRTC_APPEND_FLAGS");
  ::unsetenv("NVRTC_PREPEND_FLAGS");
  CHECK(program.has_value());
}

}  // namespace warpbook::tests::leaks_test
