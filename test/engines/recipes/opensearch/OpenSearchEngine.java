// Starts one OpenSearch node in this JVM, for tests: OpenSearchEngine DATA_FOLDER.
// It listens on any free port of loopback, prints "READY <port>" when it answers, and ends on SIGTERM.
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.opensearch.Version;
import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.http.HttpServerTransport;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;
import org.opensearch.plugins.PluginInfo;

public class OpenSearchEngine {
    static final String PAINLESS = "org.opensearch.painless.PainlessModulePlugin";

    static class EngineNode extends Node {
        EngineNode(Environment environment, List<PluginInfo> plugins) {
            super(environment, plugins, true);
        }
    }

    static PluginInfo plugin(String className, String... extended) {
        return new PluginInfo(className, "class path plugin", "NA", Version.CURRENT, "21", className, null, List.of(extended), false);
    }

    public static void main(String[] args) throws Exception {
        Path home = Path.of(args[0]).toAbsolutePath();
        Files.createDirectories(home.resolve("config"));
        Settings settings = Settings.builder()
            .put("path.home", home)
            .put("cluster.name", "engine-tests")
            .put("node.name", "engine")
            .put("discovery.type", "single-node")
            .put("network.host", "127.0.0.1")
            .put("http.port", "0")
            .put("transport.port", "0")
            .put("cluster.routing.allocation.disk.threshold_enabled", false)
            .build();
        List<PluginInfo> plugins = new ArrayList<>(List.of(
            plugin("org.opensearch.transport.Netty4ModulePlugin"),
            plugin("org.opensearch.analysis.common.CommonAnalysisModulePlugin"),
            plugin("org.opensearch.index.reindex.ReindexModulePlugin"),
            plugin("org.opensearch.index.mapper.MapperExtrasModulePlugin"),
            plugin("org.opensearch.join.ParentJoinModulePlugin"),
            plugin(PAINLESS),
            plugin("org.opensearch.knn.plugin.KNNPlugin", PAINLESS)));
        Node node = new EngineNode(InternalSettingsPreparer.prepareEnvironment(settings, Map.of(), home.resolve("config"), () -> "engine"), plugins);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                node.close();
            } catch (Exception e) {
                e.printStackTrace();
            }
        }));
        node.start();
        int port = node.injector().getInstance(HttpServerTransport.class).boundAddress().publishAddress().getPort();
        System.out.println("READY " + port);
        // The node's own threads do not keep a JVM alive.
        Thread.currentThread().join();
    }
}
