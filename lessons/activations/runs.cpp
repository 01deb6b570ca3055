#include "lessons/activations/runs.hpp"

#include "lab/text/source_text.hpp"
#include "lessons/activations/truth.hpp"
#include "lessons/common.hpp"

namespace warpbook::lessons::activations {

std::string plain_function(const lab::Lab& lab) {
  const std::string& function = lab.choice("function");
  if (function == "leaky-relu") return "relu";
  return function == "gelu-tanh" ? "gelu" : function;
}

std::vector<float> uneven(std::int64_t count, std::int64_t step) {
  constexpr std::int64_t kValues = 257;
  return periodic(count, kValues, [step](std::int64_t i) {
    return static_cast<float>(i * step % kValues) / 32.0f - 4.0f;
  });
}

device::CompileRequest request_of_variant(lab::Lab& lab, const std::string& file) {
  return lab.request_of(file,
                        lab::require(lab::read_source_file(lab.context().root, kVariants + file)));
}

std::shared_ptr<const device::Module> compile_variant(lab::Lab& lab, const std::string& file) {
  return lab::require(lab.device().load(lab.program(request_of_variant(lab, file))));
}

std::shared_ptr<const device::LaunchRecord> launch(lab::Lab& lab,
                                                   std::shared_ptr<const device::Module> module,
                                                   std::int64_t threads, std::int64_t block,
                                                   std::vector<device::Argument> arguments) {
  return lab.launch(launch_of(std::move(module), {}, threads, block, std::move(arguments)));
}

lab::CheckExhibit check_close(const device::LaunchRecord& record, std::span<const float> got,
                              std::span<const double> truth) {
  return check_of("activations.check.", record, got, truth, agrees,
                  [](double value) { return lab::number(value); });
}

}  // namespace warpbook::lessons::activations
