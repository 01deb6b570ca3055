#include "training/kernels_ahead.hpp"

#include <string>

#include "lab/operation/operation.hpp"
#include "lab/operation/operation.hpp"

namespace warpbook::training {

void compile_soon(lab::Lab& lab, const Foreseen& operations) {
  const bool cubin = lab.device().properties().simulated;
  for (const auto& [name, sizes] : operations) {
    const lab::Operation operation =
        lab::require(lab::load_operation(lab.context().root, std::string(name)));
    const KernelChoice choice = choose_kernel(name, sizes);
    lab::compile_rung_soon(lab, lab::rung_named(operation, choice.rung), choice.defines, cubin);
  }
}

}  // namespace warpbook::training
