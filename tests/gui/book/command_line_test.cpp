// The run that the window shows as a command, pasted into a shell.
#include <array>
#include <cstdio>

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "gui/book/command_line.hpp"
#include "lessons/catalogue.hpp"
#include "tests/gui/book/open_book.hpp"
#include "tests/temporary_folder.hpp"

namespace warpbook::gui::command_line_test {
namespace {

struct Said {
  std::string out;
  int code = -1;
};

/// What bash makes of it, with the tests' own binary for `./warpbook`.
Said pasted(std::string command, const std::string& more) {
  const std::string own = "./warpbook";
  command.replace(command.rfind(own), own.size(), WARPBOOK_BINARY);
  const tests::TemporaryFolder folder;
  const std::string script = folder.write("pasted.sh", command + more + "\n").string();
  Said said;
  FILE* pipe = ::popen(("bash '" + script + "' 2>&1").c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::array<char, 4096> chunk;
  while (const std::size_t got = std::fread(chunk.data(), 1, chunk.size(), pipe))
    said.out.append(chunk.data(), got);
  said.code = ::pclose(pipe);
  return said;
}

}  // namespace

TEST_CASE("a run that nobody changed is the chapter's name alone") {
  OpenBook open("first-kernel");
  CHECK(command_of(open.book) == "./warpbook run first-kernel");
}

TEST_CASE("the reader's own program is named with its GPU and its arguments") {
  OpenBook open("first-kernel");
  const tests::TemporaryFolder folder;
  const std::string file = folder.write("my program.cu", "int main() {}\n").string();
  open.book.set_gpu("t4");
  open.book.open_program(file);
  REQUIRE(open.book.program_open());
  CHECK(command_of(open.book) == "./warpbook program '" + file + "' --gpu T4");
  open.book.set_program_arguments("-n 5 'two words'");
  CHECK(command_of(open.book) == "./warpbook program '" + file + "' --gpu T4 -- -n 5 'two words'");
  open.book.close_program_page();
  CHECK(command_of(open.book).starts_with("./warpbook run first-kernel"));
}

TEST_CASE("the command runs what the window shows: values, kernel, GPU and seed", "[ci]") {
  OpenBook open("first-kernel");
  lab::Inputs inputs = open.book.inputs();
  inputs.values.set("n", std::int64_t{7});
  inputs.gpu = "t4";
  inputs.seed = 5;
  open.book.set_inputs(inputs);
  const std::string slot = open.book.lesson()->slots.front().name;
  const std::string kernel =
      open.book.source(slot) + "// it's \"mine\": $HOME `date` \\\nTEXT\n/* TEXT_ */";
  open.book.set_source(slot, kernel);
  open.settle();
  const std::string command = command_of(open.book);
  CAPTURE(command);
  CHECK(command.find(" --set n=7") != std::string::npos);
  const Said said = pasted(command, " --json");
  CAPTURE(said.out);
  const auto report = nlohmann::json::parse(said.out);
  const auto& ran = report.at("inputs");
  CHECK(ran.at("values").at("n") == 7);
  CHECK(ran.at("gpu") == "t4");
  CHECK(ran.at("seed") == 5);
  CHECK(ran.at("sources").at(slot) == kernel + "\n");
}

TEST_CASE("every preset of every chapter is a command that the command line takes") {
  for (const lab::Lesson& lesson : lessons::catalogue()) {
    for (const lab::Preset& preset : lesson.presets) {
      CAPTURE(lesson.slug, preset.name);
      lab::Values shown = lab::defaults(lesson.parameters);
      for (const auto& [name, value] : preset.values.all()) shown.set(name, value);
      lab::Values taken = lab::defaults(lesson.parameters);
      for (const auto& [name, value] : shown.all())
        CHECK(lab::assign(lesson.parameters, taken, name + "=" + lab::to_text(value)));
      CHECK(taken == shown);
    }
  }
}

TEST_CASE("an exercise's command holds what the reader wrote, and checks it", "[ci]") {
  OpenBook open("first-kernel");
  open.book.set_active_exercise("saxpy");
  REQUIRE(open.book.active_attempt() != nullptr);
  open.book.write_exercise("saxpy", "__global__ void saxpy() {");
  const std::string command = command_of(open.book);
  CAPTURE(command);
  CHECK(command.find("./warpbook check saxpy \"$source\"") != std::string::npos);
  const Said said = pasted(command, "");
  CAPTURE(said.out);
  CHECK(said.code != 0);
  CHECK(said.out.find("expected a \"}\"") != std::string::npos);
}

}  // namespace warpbook::gui::command_line_test
