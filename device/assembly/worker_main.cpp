#include "device/assembly/worker_main.hpp"

#include <sys/socket.h>

#include <cstdio>
#include <string_view>
#include <utility>

#include "device/assembly/device_worker.hpp"
#include "device/compiler/zygote.hpp"
#include "device/runtime/boxed_main.hpp"
#include "device/runtime/boxed_tool.hpp"
#include "device/worker/channel.hpp"
#include "device/worker/worker_process.hpp"

namespace warpbook::device {
namespace {

constexpr int kBadUsage = 2;

// A worker answers the process that started it. Somebody who starts one by hand gave it no channel, so it has no one to
// answer.
bool was_started_by_warpbook() {
  int type = 0;
  socklen_t length = sizeof type;
  return ::getsockopt(kWorkerChannelFd, SOL_SOCKET, SO_TYPE, &type, &length) == 0 &&
         type == SOCK_STREAM;
}

}  // namespace

int worker_main(std::span<char*> args) {
  const std::string_view kind = args.size() == 1 ? args[0] : "";
  if (kind != "compile" && kind != "device" && kind != "boxed" && kind != "boxed-tool") {
    std::fputs(
        "warpbook worker: Warpbook starts this itself; the kinds are compile, device, boxed and "
        "boxed-tool\n",
        stderr);
    return kBadUsage;
  }
  if (kind == "boxed") runtime::boxed_main();
  if (kind == "boxed-tool") runtime::boxed_tool_main();
  if (!was_started_by_warpbook()) {
    std::fputs(
        "warpbook worker: Warpbook starts this itself; there is nothing to do with it by hand\n",
        stderr);
    return kBadUsage;
  }
  Channel channel{UniqueFd(kWorkerChannelFd)};
  if (kind == "device") run_device_worker(std::move(channel));
  return run_compile_zygote(std::move(channel));
}

}  // namespace warpbook::device
