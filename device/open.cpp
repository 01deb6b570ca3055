// From the name of a device to the device.
#include "device/device.hpp"

namespace warpbook::device {

Expected<std::unique_ptr<Device>> open_device(std::string_view kind, std::string_view gpu_name) {
  if (kind == "gpu") {
    return failure(
        ErrorCode::no_device,
        {{"kind", "GPU"},
         {"why", "this build runs kernels on the simulator only; use --device simulator"}});
  }
  if (kind != "auto" && kind != "simulator") {
    return failure(ErrorCode::no_device, {{"kind", "device \"" + std::string(kind) + "\""},
                                          {"why", "choose simulator, gpu or auto"}});
  }
  const Properties* gpu = find_gpu(gpu_name);
  if (!gpu) {
    std::string known;
    for (const Properties& row : gpu_table()) known += (known.empty() ? "" : ", ") + row.name;
    return failure(ErrorCode::no_such_gpu, {{"name", std::string(gpu_name)}, {"known", known}});
  }
  return make_simulated_device(*gpu);
}

}  // namespace warpbook::device
