// The whole programs that chapters come with: each is built and run as a reader would, with every check on.
#include <filesystem>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "device/nvcc/nvcc.hpp"
#include "device/platform.hpp"
#include "lab/program/chapter_program.hpp"
#include "lab/program/program_report.hpp"
#include "lab/program/source_run.hpp"
#include "lab/text/source_text.hpp"
#include "lessons/catalogue.hpp"

namespace warpbook::programs_test {
namespace {

namespace fs = std::filesystem;
const std::string kRoot = WARPBOOK_SOURCE_DIR;

const std::string& printed(const lab::SourceResult& result) {
  const auto* output = result.report.find_as<lab::TextExhibit>("output");
  REQUIRE(output);
  return output->text.text;
}

}  // namespace

TEST_CASE("every chapter with kernels comes with a whole program of one file") {
  for (const lab::Lesson& lesson : lessons::catalogue()) {
    CAPTURE(lesson.slug);
    const auto program = lab::program_of_chapter(kRoot, lesson.slug);
    CHECK(program.has_value() == !lesson.slots.empty());
    if (!program) continue;
    const auto files = fs::directory_iterator((fs::path(kRoot) / *program).parent_path());
    CHECK(std::distance(begin(files), end(files)) == 1);
  }
}

TEST_CASE("the chapters' programs come to PASS, and nothing is found in them", "[ci]") {
  if (const auto nvcc = device::find_nvcc(); !nvcc) SKIP(nvcc.error().english());
  for (const lab::Lesson& lesson : lessons::catalogue()) {
    const auto program = lab::program_of_chapter(kRoot, lesson.slug);
    if (!program) continue;
    CAPTURE(*program);
    const auto text = lab::read_source_file(kRoot, *program);
    REQUIRE(text);
    const lab::SourceRun run{
        fs::path(kRoot) / *program, *text, {}, std::string(device::kDefaultGpu)};
    const lab::SourceResult result = lab::run_source(run, {}, {});
    for (const device::Error& error : result.report.errors) UNSCOPED_INFO(error.english());
    REQUIRE(result.report.errors.empty());
    const auto* source = result.report.find_as<lab::SourceExhibit>("source");
    REQUIRE(source);
    CHECK(source->marks.empty());
    CHECK(result.end == device::runtime::ProgramOutcome::End::exited);
    CHECK(result.code == 0);
    CHECK(lab::is_clean(result.report));
    CHECK(printed(result).ends_with(lesson.slug == "first-kernel" ? "6 8 10 12 \n" : "PASS\n"));
    CHECK(result.report.find_as<lab::TimelineExhibit>("timeline"));
  }
}

}  // namespace warpbook::programs_test
