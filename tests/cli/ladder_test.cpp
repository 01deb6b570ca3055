// `warpbook ladder` as a user types it.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "tests/cli/program.hpp"
#include "tests/says.hpp"
#include "tests/schema.hpp"

namespace warpbook::tests::ladder_test {

using Catch::Matchers::ContainsSubstring;
using nlohmann::json;

TEST_CASE("ladder shows every rung of an operation, right and counted", "[ci]") {
  const Outcome text = warpbook({"ladder", "transpose", "--size", "40x33", "--lang", "en"});
  CAPTURE(text.out, text.err);
  CHECK(text.code == 0);
  CHECK(text.out.find("transpose  rows = 40, columns = 33  [counted · H200, simulated]") == 0);
  for (const char* rung :
       {"01 coalesced_reads", "02 coalesced_writes", "03 tiled", "04 padded", "05 swizzled"})
    CHECK(text.out.find(rung) != std::string::npos);
  CHECK(text.out.find("right") != std::string::npos);
  CHECK(text.out.find("WRONG") == std::string::npos);
  CHECK_THAT(text.out, said("ladder.no-record"));
  CHECK_THAT(text.out, said("ladder.no-library", {{"operation", "transpose"}}));
  const Outcome below = warpbook({"ladder", "convolution", "--size", "pad=-1", "--lang", "en"});
  CHECK(below.code == 2);
  CHECK(below.out.empty());
  CHECK(below.err.find("pad is -1") != std::string::npos);

  const Outcome chinese =
      warpbook({"ladder", "add", "--size", "33", "--lang", "zh", "--gpu", "t4"});
  CHECK(chinese.code == 0);
  CHECK(chinese.out.find("正确") != std::string::npos);
  CHECK(chinese.out.find("T4") != std::string::npos);
}

TEST_CASE(
    "ladder --json is what lab/render/ladder.schema.json says, and counts what the rungs differ in",
    "[ci]") {
  const Outcome outcome =
      warpbook({"ladder", "transpose", "--size", "rows=64,columns=64", "--json"});
  CAPTURE(outcome.err);
  REQUIRE(outcome.code == 0);
  const json ladder = json::parse(outcome.out);
  const json& rungs = ladder.at("rungs");
  const auto conflicts = [&](std::size_t rung) {
    const json& counters = rungs.at(rung).at("counters");
    return counters.at("shared_wavefronts").get<int>() -
           counters.at("shared_wavefronts_ideal").get<int>();
  };
  // 64 x 64 floats are 128 rows of 128 bytes to read: 512 sectors; as many to write, or 8 times as many where they lie apart.
  CHECK(rungs.at(0).at("counters").at("global_load_sectors") == 512);
  CHECK(rungs.at(0).at("counters").at("global_store_sectors") == 8 * 512);
  CHECK(rungs.at(1).at("counters").at("global_load_sectors") == 8 * 512);
  CHECK(rungs.at(2).at("counters").at("global_store_sectors") == 512);
  CHECK(conflicts(2) == 128 * 31);
  CHECK(conflicts(3) == 0);
  CHECK(conflicts(4) == 0);
  CHECK(rungs.at(0).at("bytes") == 8 * 64 * 64);
  for (const json& rung : rungs) {
    const json& estimate = rung.at("estimate");
    CAPTURE(estimate.dump());
    CHECK(estimate.at("evidence").at("kind") == "estimated");
    CHECK(estimate.at("low").get<double>() < estimate.at("seconds").get<double>());
    CHECK(estimate.at("seconds").get<double>() < estimate.at("high").get<double>());
    CHECK(rung.at("record").is_null());
  }
  // Tensor cores take TF32 from 8.0 on: a T4 leaves that rung out, and says so.
  const Outcome old = warpbook({"ladder", "sgemm", "--size", "17x19x23", "--gpu", "t4", "--json"});
  CHECK(old.code == 0);
  const json with_gap = json::parse(old.out);
  CHECK_THAT(with_gap.at("rungs").at(7).at("left_out").get<std::string>(),
             said("ladder.needs", {{"major", 8}, {"minor", 0}}));
  CHECK(ladder.at("libraries").is_null());  // none of them transposes
  const Outcome refused = warpbook({"ladder", "transpose", "--size", "3x-1", "--json"});
  CHECK(refused.code == 2);
  CHECK(complaints("ladder.schema.json", {ladder, with_gap, json::parse(refused.out)}) == "");
}

TEST_CASE("ladder sets what libraries have for the same problem beside the rungs", "[ci]") {
  const Outcome outcome = warpbook({"ladder", "softmax", "--size", "5x33", "--json"});
  CAPTURE(outcome.err);
  REQUIRE(outcome.code == 0);
  const json ladder = json::parse(outcome.out);
  const json& exhibit = ladder.at("libraries");
  CHECK(exhibit.at("kind") == "algorithms");
  CHECK(exhibit.at("value").at("problem").get<std::string>().find("5x33x1x1") != std::string::npos);
  const json& groups = exhibit.at("value").at("groups");
  REQUIRE(groups.size() == 2);
  CHECK(groups.at(0).at("name").get<std::string>().find("cuDNN") == 0);
  const json& cpu = groups.at(1);
  CHECK(cpu.at("name").get<std::string>().find("oneDNN") == 0);
  if (cpu.at("error").is_null()) {
    CHECK(cpu.at("evidence").at("kind") == "measured");
    CHECK(cpu.at("rows").at(0).at("time").at("seconds").get<double>() > 0);
    CHECK(cpu.at("rows").at(0).at("notes").back() == "RIGHT");
    CHECK(cpu.at("rows").at(0).at("off").get<double>() < 1e-5);
  }
  CHECK(ladder.at("libraries_tolerance") == "relative 1e-5 floor 1e-30");
  const Outcome alone =
      warpbook({"ladder", "softmax", "--size", "5x33", "--json", "--no-libraries"});
  const json without = json::parse(alone.out);
  CHECK(without.at("libraries").is_null());
  CHECK(without.at("libraries_tolerance") == "");
  CHECK(without.at("rungs").size() == ladder.at("rungs").size());
  CHECK(complaints("ladder.schema.json", {ladder, without}) == "");

  const Outcome text = warpbook({"ladder", "softmax", "--size", "5x33", "--lang", "en"});
  CHECK_THAT(text.out, said("ladder.libraries"));
  CHECK_THAT(text.out, said("ladder.libraries-held", {{"tolerance", "relative 1e-5 floor 1e-30"}}));
  CHECK_THAT(text.out, said("ladder.head.limiter"));
}

TEST_CASE("ladder says what is wrong with an operation, a size, a define or a GPU") {
  const auto says = [](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "ladder");
    arguments.insert(arguments.end(), {"--lang", "en"});
    const Outcome outcome = warpbook(arguments);
    CHECK(outcome.code == 2);
    CHECK(outcome.out.empty());
    return outcome.err;
  };
  const auto no_operation = [](const char* name) {
    return Says("error.unknown_name.long",
                {{"kind", device::Message{"phrase.kind.operation", {}, {}}}, {"name", name}});
  };
  CHECK_THAT(says({"transposition"}),
             no_operation("transposition") && ContainsSubstring("activation_gelu"));
  CHECK_THAT(says({"pool"}), no_operation("pool"));
  CHECK_THAT(says({"convolution", "--size", "p=3"}),
             Says("phrase.why.sizes-are", {{"operation", "convolution"}}));
  CHECK(says({"conv", "--size", "stride=0"}).find("divides by 0") != std::string::npos);
  for (const char* size : {"depth=3", "1x2x3"}) {
    CHECK_THAT(says({"transpose", "--size", size}),
               Says("phrase.why.sizes-are",
                    {{"operation", "transpose"}, {"known", names({"rows", "columns"})}}));
  }
  CHECK(says({"transpose", "--size", "many"}).find("--size 256x128") != std::string::npos);
  CHECK_THAT(says({"transpose", "--size", "rows=ten"}),
             Says("phrase.why.no-number-for", {{"text", "ten"}, {"name", "rows"}}));
  CHECK_THAT(says({"transpose", "--size", "rows=-3"}),
             Says("phrase.why.negative-array", {{"expression", "rows"}, {"elements", "-3"}}));
  for (const char* size : {"100000x100000", "9000000000000000000x9000000000000000000"})
    CHECK_THAT(says({"transpose", "--size", size}), Says("phrase.why.large-arrays"));
  CHECK_THAT(says({"transpose", "--define", "TIEL=3"}),
             Says("phrase.why.rung-defines",
                  {{"operation", "transpose"}, {"known", names({"TILE", "ROWS", "PAD"})}}));
  CHECK(says({"add", "--gpu", "voodoo"}).find("voodoo") != std::string::npos);
  CHECK(says({"add", "--check", "spelling"}).find("spelling") != std::string::npos);
}

TEST_CASE("ladder says that sizes of 0 launch nothing, instead of missing their times", "[ci]") {
  const Outcome text = warpbook({"ladder", "add", "--size", "0", "--no-libraries", "--lang", "en"});
  CHECK(text.code == 0);
  CHECK_THAT(text.out, said("ladder.no-launch"));
  CHECK_THAT(text.out, !said("ladder.no-estimate"));
}

TEST_CASE("a rung refuses a tile that its threads do not share evenly, instead of being wrong",
          "[ci]") {
  struct Case {
    const char *operation, *size;
    std::vector<const char*> defines;
    std::size_t refusing;
  };
  // Of the rungs with tiles, 03 and the tiled convolutions take any.
  const auto c =
      GENERATE(Case{"sgemm", "5x6x7", {"TILE=7", "TILE_M=12", "TILE_K=3"}, 6},
               Case{"sgemm", "5x6x7", {"TILE_K=6"}, 3},
               Case{"convolution", "c=2,h=5,w=5,k=3", {"TILE_N=24"}, 2},
               Case{"convolution_nhwc", "c=2,h=5,w=5,k=3", {"TILE_M=24"}, 2},
               Case{"convolution_nhwc", "c=2,h=5,w=5,k=3", {"TILE_K=7"}, 1},
               Case{"convolution_backward_data", "c=2,h=5,w=5,k=3", {"TILE_M=24"}, 2},
               Case{"convolution_backward_data_nhwc", "c=2,h=5,w=5,k=3", {"TILE_M=24"}, 1},
               Case{"convolution_backward_filter", "c=2,h=5,w=5,k=3", {"TILE_N=24"}, 1},
               Case{"convolution_backward_filter_nhwc", "c=2,h=5,w=5,k=3", {"TILE_M=48"}, 1});
  std::vector<std::string> arguments{"ladder", c.operation,      "--size",
                                     c.size,   "--no-libraries", "--json"};
  for (const char* define : c.defines) arguments.insert(arguments.end(), {"--define", define});
  const Outcome outcome = warpbook(arguments);
  CAPTURE(c.operation, c.defines, outcome.err);
  const json ladder = json::parse(outcome.out);
  std::size_t refusing = 0;
  for (const json& rung : ladder.at("rungs")) {
    if (!rung.contains("check")) continue;  // left out for its sizes
    const json& failures = rung.at("check").at("failures");
    if (failures.empty()) continue;
    CAPTURE(rung.at("name").dump(), failures.dump());
    CHECK(failures.at(0).at("text").get<std::string>().find("static assertion failed") !=
          std::string::npos);
    ++refusing;
  }
  CHECK(refusing == c.refusing);
}

TEST_CASE("ladder finds a wrong rung out, and a broken one by its file and line", "[ci]") {
  const TemporaryFolder folder;
  namespace fs = std::filesystem;
  for (const char* part : {"lang", "kernels", "lessons", "exercises", "solutions"})
    fs::copy(fs::path(WARPBOOK_SOURCE_DIR) / part, folder.path() / part,
             fs::copy_options::recursive);
  // In build/deps lies the compiler where the machine has none of its own.
  fs::create_directory_symlink(fs::path(WARPBOOK_SOURCE_DIR) / "build", folder.path() / "build");
  const auto ladder = [&] {
    return warpbook({"ladder", "copy", "--size", "100", "--lang", "en"},
                    {{"WARPBOOK_ROOT", folder.path().string()}});
  };
  folder.write("kernels/copy/04_wrong.cu",
               "//@ idea: one too few\n//@ block: 128\n//@ grid: 1\n"
               "__global__ void copy(const float* x, float* out, int n) {\n"
               "  if (threadIdx.x < n - 1) out[threadIdx.x] = x[threadIdx.x];\n}\n");
  const Outcome wrong = ladder();
  CAPTURE(wrong.out, wrong.err);
  CHECK(wrong.code == 1);
  CHECK(wrong.out.find("WRONG") != std::string::npos);
  CHECK_THAT(wrong.out,
             said("kernel-check.values", {{"inputs", english()("kernel-check.inputs.integers")},
                                          {"bad", 1},
                                          {"elements", 100},
                                          {"name", "out"}}));
  CHECK_THAT(wrong.out,
             said("kernel-check.element", {{"name", "out"}, {"index", 99}, {"got", "nan"}}));

  // At 128 no thread is past the end: the small sizes find that it has no guard.
  folder.write("kernels/copy/04_wrong.cu",
               "//@ idea: no guard\n//@ block: 128\n//@ grid: ceil_div(n, block)\n"
               "__global__ void copy(const float* x, float* out, int n) {\n"
               "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n  out[i] = x[i];\n}\n");
  const Outcome round =
      warpbook({"ladder", "copy", "--size", "128", "--no-libraries", "--lang", "en"},
               {{"WARPBOOK_ROOT", folder.path().string()}});
  CAPTURE(round.out);
  CHECK(round.code == 1);
  CHECK(round.out.find("04 wrong, at n = ") != std::string::npos);
  CHECK(round.out.find("outside out[") != std::string::npos);

  folder.write("kernels/copy/04_wrong.cu",
               "//@ idea: no compiler takes it\n//@ block: 1\n//@ grid: 1\n)\n");
  const Outcome uncompiled = ladder();
  CAPTURE(uncompiled.out);
  CHECK(uncompiled.code == 1);
  CHECK(uncompiled.out.find("04_wrong.cu") != std::string::npos);

  folder.write("kernels/copy/04_wrong.cu", "//@ idea: ends early\n//@ blok: 1\n");
  const Outcome broken = ladder();
  CHECK(broken.code == 1);
  CHECK(broken.err.find("kernels/copy/04_wrong.cu:2: ") != std::string::npos);
  CHECK_THAT(broken.err, Says("error.bad_rung.long") && ContainsSubstring("blok"));
}

}  // namespace warpbook::tests::ladder_test
