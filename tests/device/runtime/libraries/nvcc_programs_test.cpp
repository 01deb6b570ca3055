// Whole programs that NVIDIA's nvcc builds: on libraries of ours, and on headers of NVIDIA's that run as they are.
#include <algorithm>
#include <array>
#include <filesystem>
#include <string>

#include <catch2/catch_test_macros.hpp>

#include "device/nvcc/build_program.hpp"
#include "device/nvcc/commands.hpp"
#include "device/nvcc/nvcc.hpp"
#include "device/platform.hpp"
#include "tests/device/nvcc/stand_in.hpp"
#include "tests/device/runtime/whole_program.hpp"

namespace warpbook::tests::nvcc_programs_test {

using namespace device;

namespace {

namespace fs = std::filesystem;

const fs::path kRuntime = fs::path(WARPBOOK_BINARY).parent_path() / "runtime";
const fs::path kPrograms = WARPBOOK_SOURCE_DIR "/tests/device/runtime/programs/nvcc";

Expected<BuiltProgram> build(const fs::path& source) {
  if (!find_nvcc()) SKIP("there is no nvcc of CUDA 13 (./warpbook fetch nvcc)");
  if (!fs::exists(kRuntime / "libcublas.so.13"))
    SKIP("CUDA's headers or NVRTC were not here when Warpbook was built (./warpbook fetch cuda)");
  ProgramSources sources;
  sources.files = {source};
  sources.folder = source.parent_path();
  sources.standard = "17";
  sources.runtime = kRuntime;
  return build_program(sources);
}

/// Builds it, and runs it to its end in its own words of success.
void check_program(const char* name, const std::string& said) {
  const auto built = build(kPrograms / name);
  REQUIRE(built);
  const UniqueFd output(::memfd_create("output", MFD_CLOEXEC));
  runtime::ProgramRun run;
  run.executable = built->executable;
  run.library = kRuntime;
  run.service.gpu = **known_gpu("h100");
  run.seconds = 120 * kSlowdown;
  run.output = output.get();
  const auto outcome = runtime::run_program(run);
  REQUIRE(outcome);
  CHECK(read_memory(output.get()).value() == said);
  CHECK(outcome->end == runtime::ProgramOutcome::End::exited);
  CHECK(outcome->code == 0);
  for (const auto& launch : outcome->record.launches) CHECK(launch.findings_total == 0);
  CHECK(never_freed(*outcome) == 0);
}

}  // namespace

TEST_CASE("A program on four libraries is linked with them unasked, and finds them in its box",
          "[ci]") {
  check_program("four_libraries.cu", "PASS: the numbers add up to 133.345\n");
}

TEST_CASE("cuRAND's host side gives the sequences of NVIDIA's curand_kernel.h", "[ci]") {
  const auto folders = library_headers();
  const auto has = [](const fs::path& folder) {
    return fs::exists(folder / "curand_kernel.h") && fs::exists(folder / "curand_precalc.h");
  };
  if (std::none_of(folders.begin(), folders.end(), has))
    SKIP("NVIDIA's curand_kernel.h is not here (./warpbook fetch libraries)");
  check_program("curand_sequences.cu", "0 failures\n");
}

TEST_CASE("Thrust, CUB and cooperative groups run as they are", "[ci]") {
  check_program("headers.cu", "0 failures\n");
}

TEST_CASE("A function that no library of ours has is named, and said to be not there", "[ci]") {
  const TemporaryFolder folder;
  const auto source = folder.write("main.cu",
                                   "extern \"C\" int cublasXtCreate(void*);\n"
                                   "int main() { return cublasXtCreate(nullptr); }\n");
  const auto built = build(source);
  REQUIRE_FALSE(built);
  CHECK(built.error().code == ErrorCode::build_error);
  const Message* const words = argument_of(built.error().arguments, "words");
  REQUIRE(words);
  CHECK(words->key == "phrase.detail.functions-not-there");
  CHECK(argument_of(words->arguments, "functions")->text == "cublasXtCreate");
}

}  // namespace warpbook::tests::nvcc_programs_test
