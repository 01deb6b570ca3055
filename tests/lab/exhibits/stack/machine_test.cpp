// What a machine has, as an exhibit: nothing, everything, what does not fit, long paths and very old drivers; and a look that is
// cancelled.
#include "lab/exhibits/stack/machine.hpp"

#include <algorithm>
#include <chrono>
#include <stop_token>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <nlohmann/json.hpp>

#include "lab/markup/table.hpp"
#include "lab/render/render.hpp"
#include "tests/lab/report/sample_report.hpp"
#include "tests/lab/text/texts.hpp"
#include "tests/says.hpp"

namespace warpbook::lab::machine_test {
namespace {

using device::ErrorCode;
using device::failure;
using device::libraries::DriverFacts;
using device::libraries::Identity;
using sample::english;
using sample::exhibit;
using tests::holds;
using State = StackExhibit::State;

device::Compiler::Status compiler(const std::string& version = "13.0") {
  device::Compiler::Status status;
  status.available = true;
  status.version = version;
  status.library = "/opt/cuda/lib64/libnvrtc.so." + version;
  status.headers = "/opt/cuda/include";
  return status;
}

tl::unexpected<device::Error> absent(const char* library) {
  return failure(ErrorCode::library_died, {{"library", library}, {"detail", "signal 6"}});
}

MachineAnswers nothing() {
  return {failure(ErrorCode::driver_missing, {{"detail", "no libcuda.so.1"}, {"needed", "580"}}),
          absent("cuDNN"), absent("cuBLAS"), absent("oneDNN")};
}

MachineAnswers everything() {
  return {DriverFacts{"/lib/libcuda.so.580.65.06", 13000, {"NVIDIA H200 (9.0, 143771 MB)"}, {}},
          Identity{"9.13.0", "/opt/libcudnn.so.9", "13.0"},
          Identity{"13.0.0", "/opt/libcublas.so.13", ""},
          Identity{"2.6.0", "/opt/libdnnl.so.2", ""}};
}

const StackExhibit::Part& part(const StackExhibit& stack, std::string_view id) {
  const auto found = std::ranges::find(stack.parts, id, &StackExhibit::Part::id);
  REQUIRE(found != stack.parts.end());
  return *found;
}

}  // namespace

TEST_CASE("Machine: with nothing here, each part is missing and says why, and the CPU is left") {
  device::Compiler::Status none;
  none.error = device::Error{ErrorCode::library_died, {{"library", "NVRTC"}, {"detail", "x"}}, {}};
  const StackExhibit stack = stack_of(machine_of(none, nothing()));
  for (const char* id : {"nvrtc", "toolkit", "cudnn", "cublas", "driver", "gpu", "onednn"}) {
    CAPTURE(id);
    CHECK(part(stack, id).state == State::missing);
    CHECK((part(stack, id).error || !part(stack, id).missing.empty()));
  }
  CHECK(part(stack, "simulator").state == State::here);
  CHECK(part(stack, "cpu").state == State::here);
  CHECK_FALSE(stack.gpu_usable);
  CHECK(stack.fits.empty());
  CHECK(
      sentence(exhibit(stack), sample::keys()) ==
      "stack.no-compiler; stack.missing(parts=stack.part.nvrtc; stack.part.toolkit; "
      "stack.part.cudnn; stack.part.cublas; stack.part.driver; stack.part.gpu; stack.part.onednn)");
}

TEST_CASE("Machine: with everything here, all parts fit, and kernels run on the GPU") {
  const StackExhibit stack = stack_of(machine_of(compiler(), everything()));
  for (const StackExhibit::Part& each : stack.parts) {
    CAPTURE(each.id);
    CHECK(each.state == State::here);
    CHECK(each.remedy.empty());
  }
  CHECK(stack.parts.size() == 9);
  CHECK(stack.fits.size() == 3);
  CHECK(std::ranges::all_of(stack.fits, &StackExhibit::Fit::fits));
  CHECK(stack.gpu_usable);
  CHECK(sentence(exhibit(stack), sample::keys()) == "stack.gpu");
}

TEST_CASE(
    "Machine: a disassembler that is missing costs nothing but operands; one that fails says how") {
  MachineAnswers answers = everything();
  const auto part_of = [&] {
    const Machine machine = machine_of(compiler(), answers);
    const auto found = std::ranges::find(machine.parts, "disassembler", &MachinePart::part);
    REQUIRE(found != machine.parts.end());
    CHECK(stack_of(machine).parts.size() == 9);  // no kernel is compiled with it or runs on it
    return *found;
  };
  answers.disassembler = Disassembler{"13.2.86", "/opt/nvdisasm"};
  CHECK(part_of().found == std::vector<std::string>{"13.2.86", "/opt/nvdisasm"});
  CHECK(part_of().remedy.empty());
  answers.disassembler = failure(ErrorCode::library_missing,
                                 {{"library", "nvdisasm"}, {"detail", "x"}, {"command", "y"}});
  CHECK(part_of().missing == "no-disassembler");
  CHECK(part_of().remedy == "./warpbook fetch disassembler");
  answers.disassembler = absent("nvdisasm");
  REQUIRE(part_of().error);
  CHECK(part_of().error->code == ErrorCode::library_died);
  CHECK(part_of().remedy == "./warpbook fetch disassembler");
}

TEST_CASE("Machine: what does not fit is marked, and told with what") {
  MachineAnswers answers = everything();
  answers.cudnn->cuda = "12.9";
  answers.cublas->version = "12.8.4";
  const StackExhibit stack = stack_of(machine_of(compiler(), answers));
  CHECK(part(stack, "cudnn").state == State::unusable);
  CHECK(part(stack, "cublas").state == State::unusable);
  CHECK(part(stack, "nvrtc").state == State::here);
  CHECK(stack.gpu_usable);
  CHECK(sentence(exhibit(stack), sample::keys()) ==
        "stack.gpu; stack.unusable(parts=stack.part.cudnn; stack.part.cublas)");
  const std::string text = to_text(exhibit(stack), english(), 80);
  CHECK(holds(text, "✗ cuDNN"));
  CHECK(holds(text, english()("machine.misfits")));
  CHECK_THAT(text,
             tests::Says("machine.misfit.cudnn-cuda", {{"version", "9.13.0"}, {"cuda", "12.9"}},
                         tests::patterns_of(english())));
  CHECK(holds(to_html(exhibit(stack), english()), "<li class=\"wb-unusable\"><strong>cuDNN"));
}

TEST_CASE("Machine: a very old driver is here and not usable, and kernels run on the simulator") {
  MachineAnswers answers = everything();
  answers.driver = DriverFacts{
      "/lib/libcuda.so.1",
      4020,
      {},
      device::Error{
          ErrorCode::driver_too_old, {{"found", "4.2"}, {"cuda", "13.0"}, {"needed", "580"}}, {}}};
  const StackExhibit stack = stack_of(machine_of(compiler(), answers));
  CHECK(part(stack, "driver").state == State::unusable);
  CHECK(part(stack, "gpu").state == State::missing);
  CHECK_FALSE(stack.gpu_usable);
  CHECK(holds(part(stack, "driver").found.front(), "CUDA 4.2"));
  CHECK_THAT(to_text(exhibit(stack), english(), 100),
             tests::Says("machine.misfit.driver-toolkit", {{"driver", "4.2"}, {"toolkit", "13.0"}},
                         tests::patterns_of(english())));
  CHECK(holds(sentence(exhibit(stack), sample::keys()), "stack.cpu"));
}

TEST_CASE("Machine: a driver without a GPU says so") {
  MachineAnswers answers = everything();
  answers.driver =
      DriverFacts{"/lib/libcuda.so.1",
                  13000,
                  {},
                  device::Error{ErrorCode::no_device, {{"kind", "GPU"}, {"why", "cuInit"}}, {}}};
  const StackExhibit stack = stack_of(machine_of(compiler(), answers));
  CHECK(part(stack, "driver").state == State::unusable);
  CHECK_FALSE(stack.gpu_usable);
}

TEST_CASE("Machine: every renderer shows version, file, problem and remedy, in both languages") {
  const auto language = GENERATE(as<std::string>{}, "en", "zh");
  const auto strings = sample::strings(language);
  const Exhibit stack = exhibit(sample::stack());
  const std::string text = to_text(stack, *strings, 100), html = to_html(stack, *strings),
                    csv = to_csv(table_of(stack, *strings)),
                    markdown = to_markdown(stack, *strings);
  CAPTURE(text);
  for (const std::string& shown : {text, html, csv, markdown}) {
    CHECK(holds(shown, "13.0"));
    CHECK(holds(shown, "/opt/cuda/lib64/libnvrtc.so.13"));
    CHECK(holds(shown, "sudo apt-get install cuda-drivers-580"));
    CHECK(holds(shown, strings->operator()("machine.missing.no-gpu")));
    CHECK_FALSE(holds(shown, "<machine."));
    CHECK_FALSE(holds(shown, "<stack."));
  }
  const auto value = to_json(stack, english())["value"];
  CHECK(value["parts"].size() == 4);
  CHECK(value["parts"][1]["state"] == "unusable");
  CHECK(value["parts"][1]["side"] == "gpu");
  CHECK(value["fits"][0]["fits"] == false);
}

TEST_CASE("Machine: paths of 200 characters, and names that are no text, break no line of text") {
  MachineAnswers answers = everything();
  const std::string path = "/" + std::string(200, 'p') + "/lib.so";
  answers.cudnn->file = path;
  answers.onednn->version = "\x1b[31m<b>\xff";
  const StackExhibit stack = stack_of(machine_of(compiler(), answers));
  const std::string text = to_text(exhibit(stack), english(), 60);
  CHECK_FALSE(holds(text, "\x1b"));
  CHECK(holds(to_html(exhibit(stack), english()), path));
  CHECK_FALSE(holds(to_html(exhibit(stack), english()), "<b>"));
  CHECK(to_json(exhibit(stack), english()).dump().size() > 1000);
  CHECK_FALSE(to_text(exhibit(stack), english(), 12).empty());
  CHECK(sentence(exhibit(StackExhibit{}), sample::keys()) == "stack.empty");
  CHECK(to_text(exhibit(StackExhibit{}), english(), 40).size() < 200);
}

TEST_CASE("Machine: a look tells its progress, and gives parts and CPU whatever there is") {
  std::vector<std::string> heard;
  double last = 0;
  const auto machine = look_at_machine(compiler(), {}, [&](double fraction, std::string_view name) {
    CHECK(fraction > last);
    last = fraction;
    heard.emplace_back(name);
  });
  REQUIRE(machine);
  CHECK(last == 1);
  std::ranges::sort(heard);
  CHECK(heard == std::vector<std::string>{"cublas", "cudnn", "driver", "onednn"});
  CHECK(machine->parts.size() == 8);
  CHECK(machine->when.size() == 20);
}

TEST_CASE("Machine: a look that is no longer wanted ends at once") {
  std::stop_source stop;
  stop.request_stop();
  const auto begun = std::chrono::steady_clock::now();
  const auto machine = look_at_machine(compiler(), stop.get_token());
  REQUIRE_FALSE(machine);
  CHECK(machine.error().code == ErrorCode::cancelled);
  CHECK(std::chrono::steady_clock::now() - begun < std::chrono::seconds(5));
}

}  // namespace warpbook::lab::machine_test
