#include "lab/exercise/sealed_solution.hpp"

#include "device/device.hpp"

namespace warpbook::lab {

std::string sealed_solution(const std::string& id) { return "solutions/" + id + ".ptx"; }

tl::expected<std::string, device::CompileFailure> seal_solution(device::Compiler& compiler,
                                                                const std::string& source) {
  device::CompileRequest request;
  request.name = "solution.cu";
  request.source = source;
  request.architecture = device::find_gpu(device::kDefaultGpu)->compute_capability;
  request.line_info = false;
  const auto program = compiler.compile(request);
  if (!program) return tl::unexpected(program.error());
  return (*program)->ptx;
}

}  // namespace warpbook::lab
