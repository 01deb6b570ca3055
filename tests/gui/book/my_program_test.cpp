// The reader's own program without its page: whose file it is, what other editors do to it, and its runs.
#include "gui/book/my_program.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include <catch2/catch_test_macros.hpp>

#include "device/nvcc/nvcc.hpp"
#include "device/platform.hpp"
#include "device/sanitized.hpp"
#include "lab/program/program_report.hpp"
#include "tests/temporary_folder.hpp"

namespace warpbook::gui::my_program_test {
namespace {
namespace fs = std::filesystem;
using End = device::runtime::ProgramOutcome::End;
using Words = std::vector<std::string>;

std::string read(const fs::path& file) { return device::read_file(file).value_or("(no file)"); }

/// As another editor saves: the file's time is later than any that was seen.
void save_elsewhere(const fs::path& file, const std::string& text) {
  std::ofstream(file) << text;
  fs::last_write_time(file, fs::file_time_type::clock::now() + std::chrono::seconds(2));
}

/// A program in a folder of its own, that is saved.
struct Desk {
  tests::TemporaryFolder folder;
  MyProgram program{folder.path() / "programs", {}};
  fs::path file = folder.write("work/mine.cu", "int main() {}\n");

  Desk() { REQUIRE(program.open(file)); }
};

void needs_nvcc() {
  if (const auto nvcc = device::find_nvcc(); !nvcc) SKIP(nvcc.error().english());
}

const std::string& printed(const MyProgram& program, const char* id) {
  const auto* text = program.result()->report.find_as<lab::TextExhibit>(id);
  REQUIRE(text);
  return text->text.text;
}

constexpr const char* kStray = R"(#include <cstdio>
__global__ void fill(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = i;
}
int main(int argc, char** argv) {
  int* d_out;
  cudaMalloc(&d_out, 10 * sizeof(int));
  fill<<<1, 32>>>(d_out, 10);
  cudaDeviceSynchronize();
  cudaFree(d_out);
  printf("%d arguments, the last is %s\n", argc - 1, argv[argc - 1]);
  fprintf(stderr, "a complaint\n");
  return 3;
}
)";
}  // namespace

TEST_CASE("arguments are taken apart as a shell does it") {
  CHECK(argument_words("").empty());
  CHECK(argument_words("  ").empty());
  CHECK(argument_words("-n 100  out.txt") == Words{"-n", "100", "out.txt"});
  CHECK(argument_words("'two words' \"it's\" a'b c'd \"\"") ==
        Words{"two words", "it's", "ab cd", ""});
  CHECK(argument_words("\"never closed") == Words{"never closed"});
}

TEST_CASE("a program that was begun gets a free name, and a file with the first edit") {
  const tests::TemporaryFolder folder;
  folder.write("add.cu", "somebody's");
  MyProgram program(folder.path(), {});
  REQUIRE(program.begin("add.cu", "int main() {}"));
  CHECK(program.name() == "add-2.cu");
  CHECK_FALSE(program.unsaved());
  CHECK_FALSE(fs::exists(program.file()));
  program.set_text("int main() { return 1; }");
  CHECK(program.unsaved());
  REQUIRE(program.save());
  CHECK(read(program.file()) == "int main() { return 1; }");
  CHECK(read(folder.path() / "add.cu") == "somebody's");
}

TEST_CASE("an edit is saved before another program is opened") {
  Desk desk;
  desk.program.set_text("edited");
  const fs::path other = desk.folder.write("work/other.cu", "other");
  REQUIRE(desk.program.open(other));
  CHECK(read(desk.file) == "edited");
  CHECK(desk.program.text() == "other");
}

TEST_CASE("a file that is no program text, or is not there, leaves the open one as it is") {
  Desk desk;
  CHECK_FALSE(desk.program.open(desk.folder.path() / "none.cu"));
  CHECK_FALSE(desk.program.open(desk.folder.write("work/bytes.cu", "\xff\xfe")));
  CHECK(desk.program.file() == fs::canonical(desk.file));
  CHECK(desk.program.text() == "int main() {}\n");
}

TEST_CASE("what another editor saves is taken in, but never over changes of ours") {
  Desk desk;
  save_elsewhere(desk.file, "theirs");
  CHECK(desk.program.look_again());
  CHECK(desk.program.text() == "theirs");
  CHECK_FALSE(desk.program.look_again());

  desk.program.set_text("ours");
  save_elsewhere(desk.file, "theirs again");
  CHECK_FALSE(desk.program.look_again());
  const auto copy = desk.program.save();
  REQUIRE(copy);
  CHECK(read(desk.file) == "ours");
  CHECK(copy->filename() == "mine.before-1.cu");
  CHECK(read(*copy) == "theirs again");
}

TEST_CASE("a link leads to the file that is edited, and stays a link") {
  Desk desk;
  const fs::path link = desk.folder.path() / "link.cu";
  fs::create_symlink(desk.file, link);
  REQUIRE(desk.program.open(link));
  desk.program.set_text("through the link");
  REQUIRE(desk.program.save());
  CHECK(fs::is_symlink(link));
  CHECK(read(desk.file) == "through the link");
}

TEST_CASE("an edit is saved by itself soon after it") {
  Desk desk;
  desk.program.set_text("soon");
  CHECK(desk.program.follow_disk().kept.empty());
  CHECK(read(desk.file) == "int main() {}\n");
  for (int i = 0; i < 300 * device::kSlowdown && desk.program.unsaved(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    desk.program.follow_disk();
  }
  CHECK(read(desk.file) == "soon");
}

TEST_CASE("edits are saved while somebody types on without a pause") {
  Desk desk;
  std::string text = read(desk.file);
  for (int key = 0; key < 40; ++key) {
    desk.program.set_text(text = "/" + text);
    std::this_thread::sleep_for(std::chrono::milliseconds(25));
    desk.program.follow_disk();
  }
  CHECK(read(desk.file).starts_with("/"));
}

TEST_CASE("a program runs with its arguments; its output, its exit code and its findings come back",
          "[ci]") {
  needs_nvcc();
  Desk desk;
  desk.program.set_text(kStray);
  desk.program.set_arguments("one 'two three'");
  REQUIRE(desk.program.run());
  CHECK(desk.program.progress().running);
  desk.program.settle();
  const auto result = desk.program.result();
  REQUIRE(result);
  CHECK(result->end == End::exited);
  CHECK(result->code == 3);
  CHECK(printed(desk.program, "output") == "2 arguments, the last is two three\n");
  CHECK(printed(desk.program, "errors") == "a complaint\n");
  CHECK_FALSE(lab::is_clean(result->report));
  REQUIRE(desk.program.findings());
  REQUIRE_FALSE(desk.program.findings()->marks.empty());
  CHECK(desk.program.findings()->marks.front().line == 4);
  CHECK(desk.program.findings()->marks.front().severity == device::Severity::error);
  const auto* timeline = result->report.find_as<lab::TimelineExhibit>("timeline");
  REQUIRE(timeline);
  const auto kernel =
      std::ranges::find(timeline->spans, "fill", &lab::TimelineExhibit::Span::label);
  REQUIRE(kernel != timeline->spans.end());
  CHECK(kernel->line == 9);

  CHECK_FALSE(desk.program.stale());
  desk.program.set_arguments("another");
  CHECK(desk.program.stale());
  desk.program.set_arguments("one  'two three'");
  CHECK_FALSE(desk.program.stale());
  desk.program.set_gpu("T4");
  CHECK(desk.program.stale());
  CHECK_FALSE(desk.program.gpu_before().empty());
  desk.program.set_text("changed");
  CHECK(desk.program.gpu_before().empty());
}

TEST_CASE("a program that reads finds its input at an end, and waits for nobody", "[ci]") {
  needs_nvcc();
  Desk desk;
  desk.program.set_text(
      "#include <cstdio>\nint main() { std::printf(\"%d\\n\", std::getchar()); }\n");
  REQUIRE(desk.program.run());
  desk.program.settle();
  REQUIRE(desk.program.result());
  CHECK(printed(desk.program, "output") == "-1\n");
}

TEST_CASE("bytes of the output that are no text do not disturb the rest of it", "[ci]") {
  needs_nvcc();
  Desk desk;
  desk.program.set_text("#include <cstdio>\nint main() { std::puts(\"a\\xff\\x1b[31mb\"); }\n");
  REQUIRE(desk.program.run());
  desk.program.settle();
  REQUIRE(desk.program.result());
  CHECK(printed(desk.program, "output") == "a\ufffd\ufffd[31mb\n");
}

TEST_CASE("of a program that prints much, the last lines are shown", "[ci]") {
  needs_nvcc();
  Desk desk;
  desk.program.set_text(
      "#include <cstdio>\nint main() { for (int i = 0; i < 1000; ++i) std::printf(\"%d\\n\", i); "
      "}\n");
  REQUIRE(desk.program.run());
  desk.program.settle();
  REQUIRE(desk.program.result());
  const auto* text = desk.program.result()->report.find_as<lab::TextExhibit>("output");
  REQUIRE(text);
  CHECK(text->text.key == "program.output.cut");
  CHECK(device::argument_of(text->text.arguments, "count")->text == "600");
  CHECK(device::argument_of(text->text.arguments, "text")->text.starts_with("600\n601\n"));
  CHECK(device::argument_of(text->text.arguments, "text")->text.ends_with("\n999\n"));
}

TEST_CASE("what the compilers complain about is marked at its line", "[ci]") {
  needs_nvcc();
  Desk desk;
  desk.program.set_text("int main() {\n  return undeclared;\n}\n");
  REQUIRE(desk.program.run());
  desk.program.settle();
  REQUIRE(desk.program.result());
  CHECK_FALSE(desk.program.result()->end);
  REQUIRE(desk.program.result()->report.errors.size() == 1);
  CHECK(desk.program.result()->report.errors.front().code == device::ErrorCode::compile_error);
  REQUIRE(desk.program.findings());
  REQUIRE_FALSE(desk.program.findings()->marks.empty());
  CHECK(desk.program.findings()->marks.front().line == 2);
}

TEST_CASE("a program that never ends is cancelled, and the last result stays", "[ci]") {
  needs_nvcc();
  Desk desk;
  desk.program.set_text("#include <cstdio>\nint main() { puts(\"first\"); }\n");
  REQUIRE(desk.program.run());
  desk.program.settle();
  desk.program.set_text("int main() { for (volatile int i = 0;; ++i) {} }\n");
  REQUIRE(desk.program.run());
  const auto begin = std::chrono::steady_clock::now();
  const auto waited = [&] { return std::chrono::steady_clock::now() - begin; };
  while (desk.program.progress().what.key != "program.progress.running" &&
         waited() < std::chrono::duration<double>(60 * device::kSlowdown))
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  CHECK(desk.program.progress().what.key == "program.progress.running");
  desk.program.cancel();
  CHECK_FALSE(desk.program.progress().running);
  CHECK_FALSE(desk.program.poll());
  CHECK(printed(desk.program, "output") == "first\n");
  CHECK(desk.program.stale());
}

TEST_CASE("without nvcc the command that fetches it is known before any run") {
  const char* before = std::getenv("WARPBOOK_NVCC");
  const std::string kept = before ? before : "";
  const tests::TemporaryFolder empty;
  ::setenv("WARPBOOK_NVCC", empty.path().c_str(), 1);
  Desk desk;
  desk.program.look_for_compiler();
  REQUIRE(desk.program.missing());
  CHECK(desk.program.missing()->english().find("./warpbook fetch nvcc") != std::string::npos);
  REQUIRE(desk.program.run());
  desk.program.settle();
  REQUIRE(desk.program.result());
  CHECK(desk.program.result()->report.errors.front().code == device::ErrorCode::library_missing);
  before ? ::setenv("WARPBOOK_NVCC", kept.c_str(), 1) : ::unsetenv("WARPBOOK_NVCC");
}

}  // namespace warpbook::gui::my_program_test
