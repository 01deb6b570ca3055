#include "device/compiler/file_broker.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>
#include <catch2/catch_test_macros.hpp>

#include <array>
#include <cerrno>
#include <cstring>

#include "device/worker/channel.hpp"
#include "tests/temporary_folder.hpp"

namespace warpbook::tests::door_test {

using namespace warpbook::device;
using warpbook::tests::TemporaryFolder;
namespace fs = std::filesystem;

namespace {

struct Answer {
  int result = 0;
  UniqueFd fd;
};

/// What the broker says to a call, as a boxed child would hear it.
Answer knock(const FileBroker& broker, FileCall call, const std::string& path) {
  std::array<int, 2> ends{};
  REQUIRE(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) == 0);
  const UniqueFd outside(ends[0]), inside(ends[1]);
  FileRequest request;
  request.call = call;
  request.path_bytes = static_cast<std::uint32_t>(path.size());
  std::memcpy(request.path, path.data(), path.size());
  REQUIRE(::write(inside.get(), &request, kFileRequestPrefix + path.size()) > 0);
  REQUIRE(broker.answer(outside.get()));
  FileReply reply;
  iovec part{&reply, sizeof reply};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  REQUIRE(::recvmsg(inside.get(), &message, MSG_CMSG_CLOEXEC) == sizeof reply);
  Answer answer;
  answer.result = reply.result;
  if (const cmsghdr* header = CMSG_FIRSTHDR(&message)) {
    int fd = -1;
    std::memcpy(&fd, CMSG_DATA(header), sizeof fd);
    answer.fd = UniqueFd(fd);
  }
  return answer;
}

}  // namespace

TEST_CASE("Paths are made plain without asking the file system") {
  CHECK(normalised("/a/b") == "/a/b");
  CHECK(normalised("a//b/") == "/a/b");
  CHECK(normalised("/a/./b/../c") == "/a/c");
  CHECK(normalised("/../../a") == "/a");
  CHECK(normalised("..") == "/");
  CHECK(normalised("") == "/");
}

TEST_CASE("The broker hands out headers of its folders, to read and not to write") {
  const TemporaryFolder folder;
  (void)folder.write("x.h", "header");
  const FileBroker broker({folder.path()}, {}, {});
  const Answer answer = knock(broker, FileCall::open_to_read, "/cuda/x.h");
  REQUIRE(answer.result == 0);
  REQUIRE(answer.fd);
  std::array<char, 16> content{};
  CHECK(::read(answer.fd.get(), content.data(), content.size()) == 6);
  CHECK((::fcntl(answer.fd.get(), F_GETFL) & O_ACCMODE) == O_RDONLY);
  CHECK(knock(broker, FileCall::open_to_write, "/cuda/x.h").result == -ENOENT);
}

TEST_CASE("The broker gives one answer to all that it does not hand out") {
  const TemporaryFolder folder;
  const fs::path include = folder.path() / "include";
  fs::create_directories(include / "sub");
  (void)folder.write("secret", "secret");
  fs::create_symlink("../secret", include / "link.h");
  fs::create_symlink("/etc", include / "etc");
  const FileBroker broker({include}, {}, {});
  for (const std::string& path : std::initializer_list<std::string>{
           "/etc/passwd", "/cuda/absent.h", "/cuda/../etc/passwd", "/cuda/../secret",
           "/cuda/link.h", "/cuda/etc/passwd", "/cudax", "/cccl/x.h", "/pch/in", "/pch/out",
           "/tmp/edg1", "/proc/self/maps", "/cuda/sub"}) {
    CAPTURE(path);
    const Answer answer = knock(broker, FileCall::open_to_read, path);
    CHECK(answer.result == -ENOENT);
    CHECK_FALSE(answer.fd);
  }
}

TEST_CASE("Asking about a file hands none out") {
  const TemporaryFolder folder;
  (void)folder.write("x.h", "header");
  const FileBroker broker({folder.path()}, {}, {});
  for (const char* path : {"/cuda", "/cuda/x.h"}) {
    const Answer answer = knock(broker, FileCall::stat, path);
    CHECK(answer.result == 0);
    CHECK_FALSE(answer.fd);
  }
}

TEST_CASE("Precompiled headers are read and written only by those who may") {
  const FileBroker reader({}, make_memory("precompiled"), {});
  CHECK(knock(reader, FileCall::open_to_read, kPrecompiledInBox).result == 0);
  CHECK(knock(reader, FileCall::open_to_write, kPrecompiledInBox).result == -ENOENT);
  CHECK(knock(reader, FileCall::open_to_write, kNewPrecompiledInBox).result == -ENOENT);
  const FileBroker writer({}, {}, make_memory(""));
  CHECK(knock(writer, FileCall::open_to_write, kNewPrecompiledInBox).result == 0);
}

TEST_CASE("Whoever speaks out of turn is hung up on") {
  std::array<int, 2> ends{};
  REQUIRE(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) == 0);
  const UniqueFd outside(ends[0]);
  UniqueFd inside(ends[1]);
  const FileBroker broker;
  REQUIRE(::write(inside.get(), "x", 1) == 1);
  CHECK_FALSE(broker.answer(outside.get()));
  inside.reset();
  CHECK_FALSE(broker.answer(outside.get()));
}

}  // namespace warpbook::tests::door_test
