// Whole programs, built by a toolkit that stands in for CUDA's and by the machine's own g++.
#include "device/nvcc/build_program.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

#include <catch2/catch_test_macros.hpp>

#include "device/sanitized.hpp"
#include "tests/device/nvcc/stand_in.hpp"

namespace warpbook::tests::build_program_test {

using namespace warpbook::device;
namespace fs = std::filesystem;

namespace {

constexpr const char* kHello = "#include <cstdio>\nint main() { std::puts(\"hello\"); }\n";

std::string words_of(const Expected<BuiltProgram>& built) {
  REQUIRE_FALSE(built);
  const Message* words = argument_of(built.error().arguments, "words");
  return words == nullptr ? "" : words->text;
}

}  // namespace

TEST_CASE("Several sources become one program, which has the name of the first") {
  const Workshop workshop;
  (void)workshop.write("main.cu",
                       "#include \"twice.h\"\n#include <cstdio>\nint main() { "
                       "std::printf(\"%d\\n\", twice(N)); }\n");
  (void)workshop.write("sub/twice.cpp",
                       "#include \"twice.h\"\nint twice(int x) { return 2 * x; }\n");
  (void)workshop.write("headers/twice.h", "int twice(int);\n");
  ProgramSources sources = workshop.sources({"main.cu", "sub/twice.cpp"});
  sources.include = {"headers"};
  sources.defines = {"N=21"};
  const auto built = build_program(sources);
  CHECK(run_program(built).output == "42\n");
  CHECK_FALSE(built->cached);
  CHECK(built->executable.filename().string().starts_with("main-"));
}

TEST_CASE("A program that is built again is found within 50 ms, and no compiler is called") {
  const Workshop workshop;
  const auto sources = workshop.sources({workshop.write("main.cu", kHello)});
  const auto first = build_program(sources);
  REQUIRE(first);
  double least = 1e9;  // of several: what else runs on this machine is not the program's
  for (int i = 0; i < 5; ++i) {
    const auto begun = std::chrono::steady_clock::now();
    const auto again = build_program(sources);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
    least = std::min(least, took.count());
    REQUIRE(again);
    CHECK(again->cached);
    CHECK(again->executable == first->executable);
    CHECK(run_program(again).output == "hello\n");
  }
  CHECK(workshop.calls() == 1);
  CHECK(least < 0.05 * kSlowdown);
}

TEST_CASE("A header that changes makes the program anew") {
  const Workshop workshop;
  (void)workshop.write("answer.h", "#define ANSWER 1\n");
  const auto sources = workshop.sources(
      {workshop.write("main.cu", "#include \"answer.h\"\nint main() { return ANSWER; }\n")});
  CHECK(run_program(build_program(sources)).code == 1);
  (void)workshop.write("answer.h", "#define ANSWER 2\n");
  CHECK(run_program(build_program(sources)).code == 2);
  CHECK(workshop.calls() == 2);
}

TEST_CASE("A header that appears in front of another one makes the program anew") {
  const Workshop workshop;
  (void)workshop.write("far/sub/answer.h", "#define ANSWER 1\n");
  (void)workshop.write("near/unrelated.h", "");
  ProgramSources sources = workshop.sources(
      {workshop.write("main.cu", "#include \"sub/answer.h\"\nint main() { return ANSWER; }\n")});
  sources.include = {"near/", "far"};
  CHECK(run_program(build_program(sources)).code == 1);
  REQUIRE(build_program(sources)->cached);
  (void)workshop.write("near/sub/answer.h", "#define ANSWER 2\n");
  CHECK(run_program(build_program(sources)).code == 2);
  (void)workshop.write("sub/answer.h", "#define ANSWER 3\n");
  CHECK(run_program(build_program(sources)).code == 3);
}

TEST_CASE("Other defines, another GPU and another runtime make another program") {
  const Workshop workshop;
  ProgramSources sources = workshop.sources({workshop.write("main.cu", kHello)});
  REQUIRE(build_program(sources));
  const auto builds_anew = [&] {
    const auto built = build_program(sources);
    REQUIRE(built);
    return !built->cached;
  };
  sources.defines = {"N=1"};
  CHECK(builds_anew());
  sources.compute_capability = 80;
  CHECK(builds_anew());
  fs::copy(sources.runtime, workshop.folder().path() / "runtime2");
  sources.runtime = workshop.folder().path() / "runtime2";
  CHECK(builds_anew());
  CHECK_FALSE(builds_anew());
}

TEST_CASE("What a compiler says of a program comes back whole, with its exit code") {
  const Workshop workshop(
      "echo 'to the output'; echo 'x.cu(3): error: to the errors' >&2; exit 2\n");
  const auto built = build_program(workshop.sources({workshop.write("main.cu", kHello)}));
  CHECK(words_of(built) == "to the output\nx.cu(3): error: to the errors\n");
  CHECK(built.error().code == ErrorCode::build_error);
  CHECK(built.error().english().find("main.cu does not build: nvcc ended with code 2") !=
        std::string::npos);
  CHECK(built.error().english().find("sources/main.cu") != std::string::npos);
}

TEST_CASE("Warnings come back, also of a program that was built before") {
  const Workshop workshop("echo 'warning: of the GPU' >&2\n");
  const auto sources = workshop.sources({workshop.write("main.cu", kHello)});
  for (int i = 0; i < 2; ++i) {
    const auto built = build_program(sources);
    REQUIRE(built);
    CHECK(built->said == "warning: of the GPU\n");
  }
}

TEST_CASE("What the linker says comes back whole, too") {
  const Workshop workshop;
  const auto built = build_program(workshop.sources(
      {workshop.write("main.cu", "int missing();\nint main() { return missing(); }\n")}));
  CHECK(words_of(built).find("undefined reference to `missing()'") != std::string::npos);
  CHECK(argument_of(built.error().arguments, "program")->text == "g++");
}

TEST_CASE("A compiler that hangs is stopped in time, or when that is asked for") {
  const Workshop workshop("sleep 100\n");
  ProgramSources sources = workshop.sources({workshop.write("main.cu", kHello)});
  sources.seconds = 0.2;
  const auto late = build_program(sources);
  REQUIRE_FALSE(late);
  CHECK(late.error().code == ErrorCode::compiler_timeout);
  std::stop_source stop;
  stop.request_stop();
  sources.stop = stop.get_token();
  sources.seconds = 100;
  const auto stopped = build_program(sources);
  REQUIRE_FALSE(stopped);
  CHECK(stopped.error().code == ErrorCode::cancelled);
}

TEST_CASE("What is not here is named, with what brings it") {
  const Workshop workshop;
  ProgramSources sources = workshop.sources({"absent.cu"});
  auto built = build_program(sources);
  REQUIRE_FALSE(built);
  CHECK(built.error().code == ErrorCode::file_unreadable);
  sources = workshop.sources({workshop.write("main.cu", kHello)});
  sources.runtime = workshop.folder().path();
  built = build_program(sources);
  REQUIRE_FALSE(built);
  CHECK(built.error().code == ErrorCode::library_missing);
  CHECK(built.error().english().find(kRuntimeFile) != std::string::npos);
  sources = workshop.sources({"main.cu"});
  const Variable path("PATH", workshop.folder().path());
  built = build_program(sources);
  REQUIRE_FALSE(built);
  CHECK(built.error().english().find("g++ is not here") != std::string::npos);
}

TEST_CASE("A program runs with its own runtime, whatever LD_LIBRARY_PATH has") {
  const Workshop workshop;
  const char* main = "int runtime();\nint main() { return runtime(); }\n";
  write_runtime(workshop.folder(), "int runtime() { return 2; }\n");
  fs::rename(workshop.folder().path() / "runtime", workshop.folder().path() / "other");
  write_runtime(workshop.folder(), "int runtime() { return 1; }\n");
  const auto built = build_program(workshop.sources({workshop.write("main.cu", main)}));
  REQUIRE(built);
  const std::string other = (workshop.folder().path() / "other").string();
  CHECK(run_limited({.program = built->executable, .environment = {"LD_LIBRARY_PATH=" + other}})
            .code == 1);
}

TEST_CASE("OpenMP runs its threads") {
  const Workshop workshop;
  const auto built = build_program(
      workshop.sources({workshop.write("main.cu",
                                       "#include <omp.h>\nint main() {\n  int n = 0;\n#pragma omp "
                                       "parallel num_threads(3) reduction(+ : n)\n"
                                       "  n += 1;\n  return n;\n}\n")}));
  CHECK(run_program(built).code == 3);
}

TEST_CASE("Separately compiled files hand their device code to the runtime before main") {
  // As nvcc does it: each file's constructor calls a function that a link step has to define.
  const Workshop workshop(
      "if [ -z \"$separate\" ]; then echo 'requires separate compilation mode'; exit 1; fi\n");
  write_runtime(
      workshop.folder(),
      "#include <cstdio>\n"
      "extern \"C\" void __warpbookRegisterLinked(const void* wrapper, void (*callback)(void**),\n"
      "                                         const char* name) {\n"
      "  std::printf(\"%s %d\\n\", name, *static_cast<const int*>(wrapper));\n"
      "  callback(nullptr);\n}\n");
  const auto part = [&](const std::string& id, const std::string& more) {
    return workshop.write(
        id + ".cu",
        "#include <cstdio>\nextern \"C\" void __cudaRegisterLinkedBinary_" + id +
            "(void (*)(void**), void*, void*, void (*)(void*));\n"
            "static int wrapper = 7;\nstatic void callback(void**) { std::puts(\"registered\"); }\n"
            "__attribute__((constructor)) static void begin() { __cudaRegisterLinkedBinary_" +
            id + "(callback, &wrapper, (void*)\"" + id + "\", nullptr); }\n" + more);
  };
  const auto built = build_program(
      workshop.sources({part("a", ""), part("b", "int main() { std::puts(\"main\"); }\n")}));
  const std::string said = run_program(built).output;
  CHECK(said.find("a 7\nregistered\n") != std::string::npos);
  CHECK(said.find("b 7\nregistered\n") != std::string::npos);
  CHECK(said.ends_with("main\n"));
  CHECK(workshop.calls() == 4);  // each file once without, once with -rdc=true
}

TEST_CASE("Builds of one program at the same time do not disturb each other") {
  const Workshop workshop;
  const auto sources = workshop.sources({workshop.write("main.cu", kHello)});
  std::vector<Expected<BuiltProgram>> built(4);
  {
    std::vector<std::jthread> builders;
    for (auto& result : built) builders.emplace_back([&] { result = build_program(sources); });
  }
  for (const auto& result : built) CHECK(run_program(result).output == "hello\n");
  for (const auto& entry : fs::directory_iterator(workshop.folder().path() / "home/cache/built"))
    CHECK_FALSE(entry.path().filename().string().starts_with(".tmp"));
}

TEST_CASE("A runner is told what compilers may read, and the one folder in which they may write") {
  const Workshop workshop;
  (void)workshop.write("main.cu", kHello);
  (void)workshop.write("headers/empty.h", "");
  ProgramSources sources = workshop.sources({"main.cu"});
  sources.include = {"headers"};
  sources.readable = {"named"};
  std::vector<fs::path> read;
  fs::path written;
  sources.runner = [&](const ChildRequest& request, const std::vector<fs::path>& readable,
                       const fs::path& writable, const std::stop_token& stop) {
    read = readable;
    written = writable;
    return run_limited(request, stop);
  };
  const auto built = build_program(sources);
  CHECK(run_program(built).output == "hello\n");
  const auto reads = [&](const fs::path& path) {
    return std::find(read.begin(), read.end(), path) != read.end();
  };
  CHECK(reads(sources.folder));
  CHECK(reads(sources.folder / "headers"));
  CHECK(reads(sources.folder / "named"));
  CHECK(reads(sources.runtime));
  CHECK(built->executable.string().find(written.parent_path().string()) == 0);
}

}  // namespace warpbook::tests::build_program_test
