// Tools that read what strangers wrote, in their box.
#include "device/runtime/boxed_tool.hpp"

#include <chrono>
#include <filesystem>
#include <string>

#include <catch2/catch_test_macros.hpp>

#include "device/compiler/toolkit.hpp"
#include "device/nvcc/build_program.hpp"
#include "device/nvcc/nvcc.hpp"
#include "device/platform.hpp"
#include "device/sanitized.hpp"
#include "tests/device/nvcc/stand_in.hpp"
#include "tests/temporary_folder.hpp"

namespace warpbook::tests::boxed_tool_test {

using namespace device;
using namespace device::runtime;
using End = ChildOutcome::End;

namespace {

ToolBox box() {
  const auto made = ToolBox::make();
  if (!made) SKIP("this computer allows no box: " + made.error().english());
  return *made;
}

/// A line for the shell, with what it says.
ChildRequest shell(const std::string& line) {
  ChildRequest request;
  request.program = "/bin/sh";
  request.arguments = {"-c", line};
  request.environment = {"PATH=/usr/bin:/bin"};
  request.file_bytes = 1 << 20;
  request.joined_output = true;
  request.seconds = 20 * kSlowdown;
  return request;
}

}  // namespace

TEST_CASE("A tool in its box reads what it was given, writes where it may, and says how it ended") {
  const TemporaryFolder folder;
  const auto input = folder.write("given/input", "what it reads");
  std::filesystem::create_directory(folder.path() / "out");
  const std::string out = (folder.path() / "out/made").string();
  const ChildOutcome outcome =
      box().run(shell("cat '" + input.string() + "' && echo made > '" + out + "' && exit 3"),
                {{input.parent_path()}, {folder.path() / "out"}});
  CHECK(outcome.end == End::exited);
  CHECK(outcome.code == 3);
  CHECK(outcome.output == "what it reads");
  CHECK(read_file(out).value_or("") == "made\n");
}

TEST_CASE("A tool in its box reads and changes nothing else of the user's") {
  const TemporaryFolder folder;
  const auto secret = folder.write("secret", "a key");
  const auto given = folder.write("given/input", "");
  const std::string name = secret.string();
  for (const std::string& line :
       {"cat '" + name + "'", std::string("cat /etc/passwd"), "rm '" + given.string() + "'"}) {
    CAPTURE(line);
    const ChildOutcome outcome = box().run(shell(line), {{given.parent_path()}, {}});
    CHECK(outcome.end == End::exited);
    CHECK(outcome.code != 0);
    CHECK(outcome.output.find("a key") == std::string::npos);
    CHECK(outcome.output.find("root:") == std::string::npos);
  }
  // It may write in its own /tmp, where that folder is another one.
  (void)box().run(shell("echo changed > '" + name + "'"), {{given.parent_path()}, {}});
  CHECK(read_file(secret).value_or("") == "a key");
  CHECK(std::filesystem::exists(given));
}

TEST_CASE("A tool that is not there, or does not end, is told as without a box") {
  ChildRequest request = shell("");
  request.program = "/no/such/tool";
  const ChildOutcome missing = box().run(request, {});
  CHECK(missing.end == End::not_started);
  CHECK(missing.errors.find("/no/such/tool") != std::string::npos);
  request = shell("sleep 100 & sleep 100");
  request.seconds = 0.3;
  const auto begun = std::chrono::steady_clock::now();
  CHECK(box().run(request, {}).end == End::out_of_time);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
  CHECK(took.count() < 10 * kSlowdown);
}

TEST_CASE("nvcc in its box builds a program, and an #include reads none of the user's files") {
  if (!find_nvcc()) SKIP("there is no nvcc of CUDA 13 (./warpbook fetch nvcc)");
  const TemporaryFolder folder, elsewhere;
  const Variable own_home{"WARPBOOK_HOME", folder.path() / "home"};
  write_runtime(folder, "extern \"C\" int cudaDeviceSynchronize() { return 0; }\n");
  ProgramSources sources;
  sources.files = {"main.cpp"};
  sources.folder = folder.path() / "program";
  sources.runtime = folder.path() / "runtime";
  sources.runner = box().as_runner();
  folder.write("program/own.h", "#define ANSWER 42\n");
  folder.write(
      "program/main.cpp",
      "#include \"own.h\"\n#include <cstdio>\nint main() { std::printf(\"%d\", ANSWER); }\n");
  CHECK(build_program(sources));
  const auto secret = elsewhere.write("key.h", "the secret words of a key\n");
  for (const std::string& file : {secret.string(), std::string("/etc/passwd")}) {
    CAPTURE(file);
    folder.write("program/main.cpp", "#include \"" + file + "\"\nint main() {}\n");
    const auto built = build_program(sources);
    REQUIRE(!built);
    CHECK(built.error().code == ErrorCode::build_error);
    const std::string said = built.error().english();
    CHECK(said.find("secret words") == std::string::npos);
    CHECK(said.find("root:") == std::string::npos);
  }
  // What the caller names is read.
  sources.readable = {elsewhere.path()};
  elsewhere.write("key.h", "#define ANSWER 43\n");
  folder.write("program/main.cpp",
               "#include \"" + secret.string() + "\"\nint main() { return ANSWER; }\n");
  CHECK(build_program(sources));
}

}  // namespace warpbook::tests::boxed_tool_test
